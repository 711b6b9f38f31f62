import type { ContractDocument } from "../../src/contract/rest/document.js";

const envelope = { result: { const: "success" }, msg: { const: "" } };
const ignored = { type: "array", items: { type: "string" }, "x-feature-level": { added: 167 } };

/** A bundled contract with two operations and every kind of feature level. */
export function smallDocument(): ContractDocument {
  return {
    openapi: "3.1.0",
    info: { title: "Small", version: "1.0.0" },
    servers: [{ url: "/" }],
    "x-rules": [
      { id: "errors.old", text: "Old.", until: 100 },
      { id: "errors.always", text: "Always." },
    ],
    paths: {
      "/notes/{note_id}": {
        patch: {
          operationId: "editNote",
          summary: "Edit a note",
          tags: ["notes"],
          "x-feature": "notes.edit",
          parameters: [
            {
              name: "note_id",
              in: "path",
              required: true,
              schema: { type: "integer", description: "Id.", examples: [7] },
              examples: { rename: { value: 8 } },
            },
          ],
          requestBody: {
            required: true,
            content: {
              "application/x-www-form-urlencoded": {
                schema: { $ref: "#/components/schemas/EditNote" },
                encoding: { tags: { contentType: "application/json" } },
                examples: {
                  rename: { value: { title: "New" } },
                  tagged: { value: { title: "New", tags: ["a"] } },
                  unknown: { value: { title: "New", colour: "red" } },
                  refused: { value: { title: "" } },
                },
              },
            },
          },
          responses: {
            "200": {
              description: "Edited.",
              content: {
                "application/json": {
                  schema: { $ref: "#/components/schemas/Success" },
                  examples: {
                    rename: {
                      summary: "Renamed",
                      "x-case": { rule: "notes.edit.title", given: [] },
                      value: { result: "success", msg: "" },
                    },
                    tagged: {
                      "x-case": { rule: "notes.edit.tags", given: ["note"] },
                      value: { result: "success", msg: "" },
                    },
                    unknown: {
                      "x-case": {
                        rule: "errors.always",
                        also: ["notes.edit.title"],
                        given: [{ state: "note", params: { id: 1 } }],
                      },
                      value: { result: "success", msg: "", ignored_parameters_unsupported: ["colour"] },
                    },
                  },
                },
              },
            },
            "400": {
              description: "Refused.",
              content: {
                "application/json": {
                  schema: {
                    anyOf: [{ $ref: "#/components/schemas/EmptyError" }, { $ref: "#/components/schemas/OtherError" }],
                  },
                  examples: {
                    refused: {
                      "x-case": { rule: "notes.edit.empty", given: [] },
                      value: { result: "error", msg: "empty", code: "EMPTY" },
                    },
                  },
                },
              },
            },
            "401": { $ref: "#/components/responses/Unauthorized" },
          },
          "x-rules": [
            { id: "notes.edit.title", text: "The title changes." },
            { id: "notes.edit.tags", text: "The tags change.", since: 50 },
            { id: "notes.edit.empty", text: "An empty title is refused.", since: 60 },
          ],
        },
      },
      "/tags": {
        get: {
          operationId: "getTags",
          summary: "Get tags",
          deprecated: true,
          tags: ["notes"],
          "x-feature": "tags.get",
          "x-feature-level": { added: 40, deprecated: 90, removed: 120 },
          responses: { "200": { description: "Tags." } },
        },
      },
    },
    components: {
      schemas: {
        Success: { type: "object", properties: { ...envelope, ignored_parameters_unsupported: ignored } },
        EditNote: {
          type: "object",
          required: ["title", "owner"],
          properties: {
            title: { type: "string" },
            tags: { type: "array", items: { type: "string" }, "x-feature-level": { added: 50 } },
            owner: { type: "string", "x-feature-level": { added: 30 } },
          },
          "x-feature-level": {
            changed: [{ level: 80, note: "`owner` became required.", before: { required: ["title"] } }],
          },
        },
        EmptyError: { type: "object", properties: { code: { const: "EMPTY" } }, "x-feature-level": { added: 60 } },
        OtherError: {
          type: "object",
          properties: { result: {}, msg: {}, code: { not: { $ref: "#/components/schemas/DocumentedErrorCode" } } },
        },
        DocumentedErrorCode: { type: "string", enum: ["EMPTY", "UNAUTHORIZED"] },
      },
      responses: {
        Unauthorized: {
          description: "No credentials.",
          content: {
            "application/json": {
              schema: { type: "object" },
              examples: {
                no_credentials: {
                  "x-case": { rule: "errors.old", as: "nobody", given: [] },
                  value: { code: "UNAUTHORIZED" },
                },
              },
            },
          },
        },
      },
    },
  };
}
