import { expect, it } from "vitest";
import type { CallStep, Check, Depth } from "../../../src/contract/check.js";
import { derivedPlan, isWithinDepth } from "../../../src/verify/run/at-depth.js";

it.each<[Depth | undefined, Depth, boolean]>([
  [undefined, "quick", true],
  ["quick", "quick", true],
  ["normal", "quick", false],
  ["normal", "normal", true],
  ["thorough", "normal", false],
  ["thorough", "thorough", true],
])("has a check of depth %s in a run of depth %s: %s", (derived, depth, isWithin) => {
  expect(isWithinDepth(derived === undefined ? {} : { derived }, depth)).toBe(isWithin);
});

it("counts the requests of derived checks, also those that remove what they make, and the most to one operation", () => {
  const call = (id: string): CallStep => ({
    kind: "call",
    id,
    as: "nobody",
    call: id,
    with: {},
    expect: [],
  });
  const about = { kind: "workflow", operation: "", summary: "", rules: [] } as const;
  const derived: Check = {
    ...about,
    id: "derived",
    derived: "quick",
    steps: [call("make"), call("read"), call("read")],
  };
  const written: Check = { ...about, id: "written", steps: [call("make")] };
  const plan = derivedPlan([derived, written], "normal", (id) => id === "make");
  expect(plan).toEqual({ depth: "normal", checks: 1, requests: 4, mostOfOne: 2 });
  expect(derivedPlan([written], "normal")).toBe(undefined);
});
