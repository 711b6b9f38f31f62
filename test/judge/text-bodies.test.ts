import { describe, expect, it } from "vitest";
import type { ContractDocument, Schema } from "../../src/contract/rest/document.js";
import { compareWithContract } from "../../src/judge/compare-with-contract.js";
import { compileValidators } from "../../src/judge/validators.js";

/** The problems of a response that has a body of a schema. */
function problems(type: string, schema: Schema, body: string | Buffer, sentAs = type): string[] {
  const document: ContractDocument = {
    ...{ openapi: "3.1.0", info: { title: "One operation", version: "1" }, servers: [] },
    paths: {
      "/it": {
        get: {
          ...{ operationId: "it", summary: "", tags: [], "x-feature": "it" },
          responses: {
            "200": { description: "", content: { [type]: { schema }, "application/json": { schema: {} } } },
          },
        },
      },
    },
    components: { schemas: { Color: { type: "string", enum: ["red", "blue"] } } },
  };
  const bytes = Buffer.from(body);
  const headers = new Headers({ "Content-Type": sentAs });
  const response = { status: 200, contentType: sentAs, headers, text: bytes.toString(), bytes };
  return compareWithContract(document, "it", response, compileValidators(document)).map(({ text }) => text);
}

const text = "text/plain";
const color = { $ref: "#/components/schemas/Color" };

describe("a body that is not JSON", () => {
  it.each<[string, string, Schema, string | Buffer, string?]>([
    ["a listed text", text, color, "red"],
    ["a line", text, color, "red\r\n"],
    ["a text with a charset", text, color, "red", "text/plain; charset=utf-8"],
    ["a text of a range", "text/*", color, "red", "text/csv"],
    ["a number", text, { type: "number", maximum: 10 }, "9.6"],
    ["a boolean", text, { type: "boolean" }, "true"],
    ["one of several texts", text, { anyOf: [{ type: "integer" }, color] }, "blue"],
    ["characters outside the basic plane, each of which is one", text, { type: "string", maxLength: 2 }, "𝔵𝔵"],
    ["no text", text, { type: "string" }, ""],
    ["bytes", "image/png", { type: "string", format: "binary" }, Buffer.from([0xff, 0xd8, 0])],
    ["bytes, each of which counts", "image/png", { type: "string", minLength: 3 }, Buffer.from([0xff, 0xd8, 0])],
    ["a table of which the schema describes the rows", "text/csv", { type: "array", items: color }, "red\nblue"],
    ["XML", "application/xml", { type: "object", required: ["a"] }, "<a/>"],
  ])("may be %s", (_, type, schema, body, sentAs) => {
    expect(problems(type, schema, body, sentAs)).toEqual([]);
  });

  it.each<[string, string, Schema, string | Buffer, string]>([
    ["a text in quotation marks", text, color, '"red"', "must be one of red, blue, got "],
    ["a text that does not match", text, { type: "string", pattern: "^a" }, "b", 'must match pattern "^a", got "b"'],
    ["a text in another format", text, { type: "string", format: "date" }, "1 May", 'must match format "date", got'],
    ["a text that is too short", text, { type: "string", minLength: 1 }, "", "must NOT have fewer than 1 characters"],
    ["no number", text, { type: "integer" }, "1.5", 'must be integer, got "1.5"'],
    ["too many bytes", "image/png", { type: "string", maxLength: 2 }, Buffer.from([0xc3, 0xa4, 1]), "got 3 bytes"],
    ["no bytes", "image/png", { type: "string", format: "binary", minLength: 1 }, "", "got 0 bytes"],
  ])("must not be %s", (_, type, schema, body, problem) => {
    expect(problems(type, schema, body)).toEqual([expect.stringContaining(problem)]);
  });
});
