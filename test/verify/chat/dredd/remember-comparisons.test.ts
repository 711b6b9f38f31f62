import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { rememberComparisons } from "../../../../src/verify/chat/dredd/remember-comparisons.js";

const require = createRequire(import.meta.url);
const { default: gavel } = createRequire(require.resolve("dredd/bin/dredd"))("gavel");

const bodySchema = JSON.stringify({
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  required: ["result"],
  properties: { result: { const: "success" }, count: { type: "integer" } },
});
const expected = { statusCode: "200", headers: { "Content-Type": "application/json", ETag: "any" }, bodySchema };
const headers = { "content-type": "application/json", etag: "1", date: "today" };
const success = { statusCode: 200, headers, body: '{"result":"success"}' };

const messages = {
  "a response that matches": [expected, success],
  "another date": [expected, { ...success, headers: { ...headers, date: "tomorrow" } }],
  "a missing header": [expected, { ...success, headers: { "content-type": "application/json" } }],
  "another media type": [expected, { ...success, headers: { ...headers, "content-type": "text/html" } }],
  "no media type": [expected, { ...success, headers: { etag: "1" } }],
  "another status": [expected, { ...success, statusCode: 500 }],
  "another body": [expected, { ...success, body: '{"result":"error","count":"many"}' }],
  "a body that is not JSON": [expected, { ...success, body: "{" }],
  "an empty body": [expected, { ...success, body: "" }],
  "an expected text": [
    { headers: { "content-type": "text/plain" }, body: "yes" },
    { ...success, body: "no" },
  ],
  "only a status": [{ statusCode: "204" }, { statusCode: 204, headers: {}, body: "" }],
} as const;

/** The result of a comparison without the compared values. */
function resultOf(compared: { valid: boolean; fields: Record<string, { errors: unknown; kind: unknown }> }) {
  const fields = Object.entries(compared.fields).map(([name, { errors, kind }]) => [name, { errors, kind }]);
  return { valid: compared.valid, fields };
}

describe("rememberComparisons", () => {
  const remembering = { validate: gavel.validate };
  rememberComparisons(remembering);

  it.each([...Object.entries(messages), ...Object.entries(messages)])(
    "does not change the result of %s",
    (_, [wanted, real]) => {
      expect(resultOf(remembering.validate(wanted, real) as never)).toEqual(resultOf(gavel.validate(wanted, real)));
    },
  );

  it("compares equal messages once", () => {
    let count = 0;
    const counting = {
      validate: (...given: Parameters<typeof gavel.validate>) => {
        count++;
        return gavel.validate(...given);
      },
    };
    rememberComparisons(counting);
    for (const date of ["a", "b", "c"]) counting.validate(expected, { ...success, headers: { ...headers, date } });
    expect(count).toBe(2);
  });
});
