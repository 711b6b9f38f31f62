import { describe, expect, it } from "vitest";
import { codeCheckProblems } from "../../src/lint/rest/rule-problems.js";
import { defineCheck } from "../../src/verify/run/define-check.js";

const rules = [
  { id: "props.borrow.returned", text: "A borrowed prop is returned." },
  { id: "props.borrow.clean", text: "A returned prop is clean.", strength: "should" },
] as const;

const about = { id: "workflow props", operation: "props", summary: "A prop is returned", run: async () => {} };

describe("codeCheckProblems", () => {
  it.each([
    [["props.borrow.return"], undefined, "there is no rule `props.borrow.return`"],
    [["props.borrow.returned"], ["props.borrow.returned"], "which every server must keep"],
  ])("reports a check about %j that relies on %j", (named, reliesOn, problem) => {
    const check = defineCheck({ ...about, rules: named, ...(reliesOn === undefined ? {} : { reliesOn }) });
    expect(codeCheckProblems([check], rules)).toEqual([expect.stringContaining(problem)]);
  });

  it("accepts a check whose rules exist", () => {
    const check = defineCheck({ ...about, rules: ["props.borrow.returned"], reliesOn: ["props.borrow.clean"] });
    expect(codeCheckProblems([check], rules)).toEqual([]);
  });
});
