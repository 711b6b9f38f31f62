import { describe, expect, it } from "vitest";
import { tableChanges } from "../../../scripts/breaking/table-changes.js";
import type { OperationObject } from "../../../src/contract/chat/document.js";
import { smallDocument } from "../../support/small-document.js";

function editNote(document: ReturnType<typeof smallDocument>): OperationObject {
  const operation = document.paths["/notes/{note_id}"]?.patch;
  if (operation === undefined) throw new Error("the small document has no editNote");
  return operation;
}

describe("tableChanges", () => {
  it.each<[string, (operation: OperationObject, document: ReturnType<typeof smallDocument>) => void, string, string[]]>(
    [
      ["nothing", () => {}, "none", []],
      [
        "a parameter removed",
        (_, { components }) => delete components.schemas.EditNote?.properties?.tags,
        "major",
        ["major: editNote: parameter tags is gone"],
      ],
      [
        "a field that is written in another way",
        ({ requestBody }) => delete requestBody?.content["application/x-www-form-urlencoded"]?.encoding,
        "major",
        ["major: editNote: parameter tags was written as json and is as string"],
      ],
      [
        "a login that is no longer needed",
        (operation) => Object.assign(operation, { security: [] }),
        "major",
        ["major: editNote: auth was not set and is false"],
      ],
      [
        "a rule removed, one changed and one added",
        (operation) => {
          operation["x-rules"] = [
            { id: "notes.edit.title", text: "The title changes at once." },
            { id: "notes.edit.tags", text: "The tags change.", since: 50 },
            { id: "notes.edit.new", text: "Something new." },
          ];
        },
        "minor",
        [
          "minor: editNote: rule notes.edit.title changed",
          "minor: editNote: rule notes.edit.empty is gone",
          "minor: editNote: rule notes.edit.new is new",
        ],
      ],
      [
        "a parameter added",
        (operation) => operation.parameters?.push({ name: "q", in: "query", schema: { type: "string" } }),
        "none",
        [],
      ],
    ],
  )("on %s", (_, change, impact, reasons) => {
    const revision = smallDocument();
    change(editNote(revision), revision);
    // A field without an encoding must be a plain string, so that the table can be made at all.
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
