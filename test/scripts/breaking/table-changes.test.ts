import { describe, expect, it } from "vitest";
import { tableChanges } from "../../../scripts/breaking/table-changes.js";
import type { OperationObject } from "../../../src/contract/rest/document.js";
import { smallDocument } from "../../support/small-document.js";

function editNote(document: ReturnType<typeof smallDocument>): OperationObject {
  const operation = document.paths["/notes/{note_id}"]?.patch;
  if (operation === undefined) throw new Error("the small document has no editNote");
  return operation;
}

describe("tableChanges", () => {
  it.each<[string, (operation: OperationObject, document: ReturnType<typeof smallDocument>) => void, string, string[]]>(
    [
      ["no change", () => {}, "none", []],
      [
        "a removed parameter",
        (_, { components }) => delete components.schemas.EditNote?.properties?.tags,
        "major",
        ["major: editNote: parameter tags was removed"],
      ],
      [
        "a field with another encoding",
        ({ requestBody }) => delete requestBody?.content["application/x-www-form-urlencoded"]?.encoding,
        "major",
        ["major: editNote: the encoding of parameter tags changed from json to string"],
      ],
      [
        "an operation that no longer requires authentication",
        (operation) => Object.assign(operation, { security: [] }),
        "major",
        ["major: editNote: auth changed from unset to false"],
      ],
      [
        "a removed, a changed and an added rule",
        (operation) => {
          operation["x-rules"] = [
            { id: "notes.edit.title", text: "The title changes at once." },
            { id: "notes.edit.tags", text: "The tags change.", source: "Notes, rule 2", since: 50 },
            { id: "notes.edit.new", text: "Something new." },
          ];
        },
        "minor",
        [
          "minor: editNote: rule notes.edit.title changed",
          "minor: editNote: rule notes.edit.empty was removed",
          "minor: editNote: rule notes.edit.new is new",
        ],
      ],
      [
        "an added parameter",
        (operation) => operation.parameters?.push({ name: "q", in: "query", schema: { type: "string" } }),
        "none",
        [],
      ],
    ],
  )("judges %s", (_, change, impact, reasons) => {
    const revision = smallDocument();
    change(editNote(revision), revision);
    // The operation table requires a field without an encoding to be a plain string.
    const tags = revision.components.schemas.EditNote?.properties?.tags;
    if (tags !== undefined && !editNote(revision).requestBody?.content["application/x-www-form-urlencoded"]?.encoding)
      tags.type = "string";
    expect(tableChanges(smallDocument(), revision)).toMatchObject({
      impact,
      reasons,
      affected: reasons.length > 0 ? ["editNote"] : [],
    });
  });
});
