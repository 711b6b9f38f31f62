import { describe, expect, it } from "vitest";
import { loadStatesCatalogue } from "../../src/chat/contract.js";
import type { Reference } from "../../src/contract/rest/document.js";
import { probeProblems } from "../../src/lint/rest/probe-problems.js";
import { type TinyOperation, tinyContract } from "../verify/derive/tiny-contract.js";

describe("probeProblems", () => {
  const fields = { note: { type: "integer" } };
  const sending = { fields, sends: { note: 1 }, bind: { note: "credentials.other.user_id" } };
  const refersTo = (note: Reference) => ({ note });

  it.each<[string, TinyOperation, string]>([
    [
      "a rule about omitting a parameter that is optional at every level",
      {
        fields,
        sends: { note: 1 },
        rules: { "notes.edit.required": { kind: "missing-parameter", parameter: "note" } },
      },
      "notes.edit.required: `shown-by` leads to no probe.",
    ],
    [
      "a role that no case shows",
      { as: "member", rules: { "notes.edit.restricted": { kind: "missing-role", role: "administrator" } } },
      "notes.edit.restricted: `shown-by` leads to no probe.",
    ],
    [
      "a reference that no success sends",
      { fields, references: refersTo({ kind: "note" }) },
      "editNote.note: `x-refers-to` leads to no probe.",
    ],
    [
      "a rule of a reference that holds at no level",
      { ...sending, references: refersTo({ kind: "note", rules: ["notes.edit.unknown"] }) },
      "editNote.note: notes.edit.unknown: no probe of this `x-refers-to` shows the rule at any level.",
    ],
  ])("reports %s", async (_, operation, problem) => {
    expect(probeProblems(tinyContract(operation), await loadStatesCatalogue())).toContainEqual(
      expect.stringContaining(problem),
    );
  });

  it("accepts a contract in which a probe shows each rule that refers to one", async () => {
    const operation = { ...sending, references: refersTo({ kind: "note" }) };
    expect(probeProblems(tinyContract(operation), await loadStatesCatalogue())).toEqual([]);
  });
});
