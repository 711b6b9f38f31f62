import { describe, expect, it } from "vitest";
import { type Strength, strengthProblems } from "../../src/contract/strength.js";

describe("strengthProblems", () => {
  it.each([
    { name: "a must by default", rule: {}, want: [] },
    { name: "a should with a gap", rule: { strength: "should", gap: "Which status" }, want: [] },
    { name: "a must with a gap", rule: { gap: "Which status" }, want: [/remove it/] },
    { name: "a should without a gap", rule: { strength: "should" }, want: [/needs `gap`/] },
    { name: "a should with a blank gap", rule: { strength: "should", gap: " " }, want: [/needs `gap`/] },
    { name: "an unknown strength", rule: { strength: "may" as Strength }, want: [/use must or should/] },
  ] as const)("finds $want.length problems in $name", ({ rule, want }) => {
    expect(strengthProblems(rule)).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});
