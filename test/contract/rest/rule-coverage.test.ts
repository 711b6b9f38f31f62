import { describe, expect, it } from "vitest";
import { listCases } from "../../../src/contract/rest/cases.js";
import { coverageProblems, coverRules } from "../../../src/contract/rest/rule-coverage.js";
import { smallDocument } from "../../support/small-document.js";

const cases = listCases(smallDocument());
const workflows = [{ workflowId: "notes-twice", rules: ["notes.edit.twice"] }];
const rule = (id: string, untestable?: string) => ({
  id,
  text: "A sentence.",
  source: "Notes, rule 1",
  untestable,
});

describe("rule coverage", () => {
  it.each([
    ["a rule that a case names", rule("notes.edit.tags"), []],
    ["a rule that a case names beside its own", rule("notes.edit.title"), []],
    ["a rule that a workflow names", rule("notes.edit.twice"), []],
    ["a rule with a reason", rule("notes.edit.x", "Another system does it."), []],
    [
      "a rule that nothing names",
      rule("notes.edit.x"),
      ["notes.edit.x: no case or workflow names it. Add one, or give the reason in `untestable`."],
    ],
    [
      "a reason that is no longer true",
      rule("notes.edit.tags", "Nobody can see it."),
      ["notes.edit.tags: it is marked untestable, but editNote tagged checks it. Remove `untestable`."],
    ],
  ])("accepts or reports %s", (_, given, want) => {
    expect(coverageProblems(coverRules([given], cases, workflows))).toEqual(want);
  });
});
