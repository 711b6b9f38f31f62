import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseJson } from "../../src/base/parse-json.js";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { type ApiAnswer, serveRoutes } from "./http-api.js";
import { blamed } from "./verify-contract.js";

/** What a document may use, and a server that is right or wrong about it. */
interface Feature {
  readonly openapi?: string;
  readonly method?: string;
  /** Of the only operation, `it`. The path is `/things/{id}` if it has a parameter in the path, otherwise `/things`. */
  readonly operation: Readonly<Record<string, unknown>>;
  readonly schemas?: Readonly<Record<string, object>>;
  /** What the server must get once, as `QUERY HEADERS BODY`. Defaults to anything. */
  readonly sends?: readonly RegExp[];
  readonly right: ApiAnswer;
  readonly wrong?: ApiAnswer;
  /** The answer to a path that ends in a word, or to an invalid query. Defaults to that of any request. */
  readonly refusal?: { readonly right: ApiAnswer; readonly wrong: ApiAnswer };
}

const folder = mkdtempSync(join(tmpdir(), "accord-features-"));
afterAll(() => rmSync(folder, { recursive: true }));

const answer = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): ApiAnswer => ({
  ...{ status, headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers } },
  ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
});
const typed = (type: string, body: string): ApiAnswer => ({ status: 200, headers: { "Content-Type": type }, body });
const json = (schema: object, more: object = {}) => ({ content: { "application/json": { schema, ...more } } });
const ok = (response: object) => ({ responses: { "200": { description: "It.", ...response } } });
const name = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const idInPath = { name: "id", in: "path", required: true, schema: { type: "integer" }, example: 1 };
const query = (parameter: object) => ({ parameters: [{ name: "q", in: "query", ...parameter }], ...ok(json({})) });
const integers = { schema: { type: "array", items: { type: "integer" } }, example: [1, 2] };

const features: Readonly<Record<string, Feature>> = {
  "a JSON body of PUT": {
    method: "put",
    operation: {
      parameters: [idInPath],
      requestBody: { required: true, ...json(name, { example: { name: "a" } }) },
      ...ok(json(name)),
    },
    sends: [/content-type: application\/json\n.*\{"name":"a"\}$/s, /\n\{"name":""\}$/],
    ...{ right: answer(200, { name: "a" }), wrong: answer(200, { title: "a" }) },
  },
  "an array as JSON body": {
    method: "post",
    operation: {
      requestBody: { required: true, ...json({ type: "array", items: name }, { example: [{ name: "a" }] }) },
      ...ok(json({})),
    },
    sends: [/\n\[\{"name":"a"\}\]$/],
    right: answer(200, {}),
  },
  "a body with keys that say how values could be written, and null": {
    method: "post",
    operation: {
      requestBody: {
        required: true,
        ...json(
          { type: "object", properties: { message: {}, verbatim: {}, twice: {}, query: {}, note: {} } },
          {
            example: {
              message: { text: "hello" },
              verbatim: { verbatim: 1 },
              twice: { twice: "a" },
              query: { query: 2 },
              note: null,
            },
          },
        ),
      },
      ...ok(json({})),
    },
    sends: [
      /\n\{"message":\{"text":"hello"\},"verbatim":\{"verbatim":1\},"twice":\{"twice":"a"\},"query":\{"query":2\},"note":null\}$/,
    ],
    right: answer(200, {}),
  },
  ...Object.fromEntries(
    (
      [
        ["null", null],
        ["one key", { text: "hello" }],
      ] as const
    ).map(([what, example]) => [
      `a whole JSON body that is ${what}`,
      {
        ...{
          method: "post",
          operation: { requestBody: { required: true, ...json({}, { example }) }, ...ok(json({})) },
        },
        // It is also omitted, which is another thing than an empty object.
        sends: [new RegExp(`\\n${JSON.stringify(example)}$`), /^content-length: 0$/m],
        right: answer(200, {}),
      },
    ]),
  ),
  "201 with Location": {
    method: "post",
    operation: {
      responses: { "201": { description: "", headers: { Location: { required: true, schema: { type: "string" } } } } },
    },
    ...{ right: answer(201, undefined, { Location: "/things/1" }), wrong: answer(201) },
  },
  "a header with a schema": {
    operation: ok({ headers: { "X-Count": { schema: { type: "integer", minimum: 0 } } } }),
    ...{ right: answer(200, undefined, { "X-Count": "3" }), wrong: answer(200, undefined, { "X-Count": "many" }) },
  },
  "204": {
    method: "delete",
    operation: { parameters: [idInPath], responses: { "204": { description: "" } } },
    ...{ right: answer(204), wrong: answer(200, {}) },
  },
  "an array at the top": {
    operation: ok(json({ type: "array", items: name })),
    ...{ right: answer(200, [{ name: "a" }]), wrong: answer(200, { items: [] }) },
  },
  "nullable of 3.0": {
    openapi: "3.0.3",
    operation: ok(json({ ...name, properties: { name: { type: "string", nullable: true } } })),
    ...{ right: answer(200, { name: null }), wrong: answer(200, {}) },
  },
  "nullable of 3.0 beside a reference": {
    openapi: "3.0.3",
    schemas: { Name: name },
    operation: ok(
      json({ type: "object", properties: { it: { nullable: true, allOf: [{ $ref: "#/components/schemas/Name" }] } } }),
    ),
    ...{ right: answer(200, { it: null }), wrong: answer(200, { it: {} }) },
  },
  "null of 3.1": {
    operation: ok(json({ ...name, properties: { name: { type: ["string", "null"] } } })),
    ...{ right: answer(200, { name: null }), wrong: answer(200, { name: 1 }) },
  },
  "a schema by another name": {
    schemas: { Alias: { $ref: "#/components/schemas/Name" }, Name: name },
    operation: ok(json({ $ref: "#/components/schemas/Alias" })),
    ...{ right: answer(200, { name: "a" }), wrong: answer(200, {}) },
  },
  "several media types": {
    operation: ok({
      content: { "application/json": { schema: name }, "text/csv": { schema: { type: "string", pattern: "^name" } } },
    }),
    ...{ right: typed("text/csv", "name\na\n"), wrong: typed("text/csv", "a\n") },
  },
  "another media type": {
    operation: ok({ content: { "application/json": { schema: name }, "text/csv": {} } }),
    ...{ right: typed("text/csv", "name\na\n"), wrong: typed("text/html", "<p>a") },
  },
  "a range of media types": {
    operation: ok({ content: { "image/*": { schema: { type: "string", format: "binary" } } } }),
    ...{ right: typed("image/png", "\x89PNG"), wrong: typed("text/html", "<p>a") },
  },
  "a binary download": {
    operation: ok({ content: { "application/pdf": { schema: { type: "string", format: "binary", minLength: 1 } } } }),
    ...{ right: typed("application/pdf", "%PDF"), wrong: typed("application/pdf", "") },
  },
  "problem+json": {
    operation: {
      parameters: [idInPath],
      responses: {
        ...ok(json({})).responses,
        "404": {
          description: "",
          content: { "application/problem+json": { schema: { type: "object", required: ["title"] } } },
        },
      },
    },
    right: answer(200, {}),
    refusal: {
      right: answer(404, { title: "No" }, { "Content-Type": "application/problem+json" }),
      wrong: answer(404, { msg: "No" }, { "Content-Type": "application/problem+json" }),
    },
  },
  "a default response": {
    operation: {
      parameters: [idInPath],
      responses: { ...ok(json({})).responses, default: { description: "", ...json(name) } },
    },
    right: answer(200, {}),
    refusal: { right: answer(400, { name: "bad" }), wrong: answer(400, { error: "bad" }) },
  },
  "a class of statuses": {
    operation: {
      parameters: [idInPath],
      responses: { "2XX": { description: "", ...json(name) }, "4XX": { description: "", ...json(name) } },
    },
    right: answer(202, { name: "a" }),
    wrong: answer(202, {}),
    refusal: { right: answer(418, { name: "bad" }), wrong: answer(418, { error: "bad" }) },
  },
  "a property that only requests have": {
    operation: ok(
      json({
        type: "object",
        required: ["name", "password"],
        properties: { name: { type: "string" }, password: { type: "string", writeOnly: true } },
      }),
    ),
    ...{ right: answer(200, { name: "a" }), wrong: answer(200, {}) },
  },
  "a redirect beside a success": {
    operation: { responses: { ...ok(json({})).responses, 302: { description: "Moved for now." } } },
    right: answer(302, undefined, { Location: "/elsewhere" }),
  },
  "a query array of style form": { operation: query(integers), sends: [/^\?q=1&q=2\n/], right: answer(200, {}) },
  "a query array of style form, not exploded": {
    operation: query({ ...integers, explode: false }),
    ...{ sends: [/^\?q=1(,|%2C)2\n/], right: answer(200, {}) },
  },
  "a query array of style spaceDelimited": {
    operation: query({ ...integers, style: "spaceDelimited", explode: false }),
    ...{ sends: [/^\?q=1(%20|\+)2\n/], right: answer(200, {}) },
  },
  "a query array of style pipeDelimited": {
    operation: query({ ...integers, style: "pipeDelimited", explode: false }),
    ...{ sends: [/^\?q=1(\||%7C)2\n/], right: answer(200, {}) },
  },
  "a query object of style deepObject": {
    operation: query({
      schema: { type: "object", properties: { from: { type: "integer" } } },
      style: "deepObject",
      example: { from: 1 },
    }),
    ...{ sends: [/^\?q(\[|%5B)from(\]|%5D)=1\n/], right: answer(200, {}) },
  },
  "a query parameter of JSON": {
    operation: query({ content: { "application/json": { schema: integers.schema, example: [1, 2] } } }),
    ...{ sends: [/^\?q=(\[|%5B)1(,|%2C)2(\]|%5D)\n/], right: answer(200, {}) },
  },
  "a header parameter": {
    operation: {
      parameters: [{ name: "X-Language", in: "header", required: true, schema: { type: "string" }, example: "de" }],
      ...ok(json({})),
    },
    ...{ sends: [/\nx-language: de\n/], right: answer(200, {}) },
  },
  "a cookie parameter": {
    operation: {
      parameters: [{ name: "site", in: "cookie", required: true, schema: { type: "string" }, example: "harbour" }],
      ...ok(json({})),
    },
    ...{ sends: [/\ncookie: site=harbour\n/], right: answer(200, {}) },
  },
  "named examples": {
    operation: query({ schema: { type: "string" }, examples: { a: { value: "x" }, b: { value: "y" } } }),
    ...{ sends: [/^\?q=x\n/, /^\?q=y\n/], right: answer(200, {}) },
  },
  "made-up values": {
    operation: query({ schema: { type: "string", format: "date" }, required: true }),
    ...{ sends: [/^\?q=\d{4}-\d\d-\d\d\n/], right: answer(200, {}) },
  },
  "a body of text": {
    method: "post",
    operation: {
      requestBody: { required: true, content: { "text/plain": { schema: { type: "string" }, example: "a b" } } },
      ...ok(json({})),
    },
    ...{ sends: [/content-type: text\/plain\n.*\n\na b$/s], right: answer(200, {}) },
  },
  "a multipart body": {
    method: "post",
    operation: {
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["note"],
              properties: { note: { type: "string" }, file: { type: "string", format: "binary" } },
            },
            example: { note: "n", file: "abc" },
          },
        },
      },
      ...ok(json({})),
    },
    ...{ sends: [/name="note"\r\n\r\nn\r\n.*filename="example".*\r\n\r\nabc\r\n/s], right: answer(200, {}) },
  },
};

async function verify(feature: Feature, isWrong: boolean): Promise<{ report: JsonReport; seen: string[] }> {
  const { openapi = "3.1.0", method = "get", operation, schemas = {}, right, wrong, refusal } = feature;
  const hasId = JSON.stringify(operation).includes('"in":"path"');
  const path = hasId ? "/things/{id}" : "/things";
  const file = join(folder, "openapi.json");
  const document = {
    ...{ openapi, info: { title: "Things", version: "1" } },
    ...{ paths: { [path]: { [method]: { operationId: "it", ...operation } } }, components: { schemas } },
  };
  writeFileSync(file, JSON.stringify(document));
  const contract = await loadRestContract({ kind: "rest", name: "things", openapi: file, conventions: {} });
  const seen: string[] = [];
  const pick = (answers: { right: ApiAnswer; wrong?: ApiAnswer | undefined }) =>
    (isWrong ? answers.wrong : undefined) ?? answers.right;
  const { origin, close } = await serveRoutes(
    [
      {
        ...{ operation: "it", method: method.toUpperCase(), path: hasId ? /^\/things\/(.+)$/ : /^\/things$/ },
        handle: ({ path: [id = "1"], rawQuery, headers, body }) => {
          const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}\n`);
          seen.push(`${rawQuery}\n${lines.join("")}\n${body}`);
          return refusal !== undefined && !/^\d+$/.test(id) ? pick(refusal) : pick({ right, wrong });
        },
      },
    ],
    { refuse: (status) => answer(status) },
  );
  try {
    return { report: toJsonReport(await verifyRest(contract, { url: origin, degree: "everything", seed: 1 })), seen };
  } finally {
    await close();
  }
}

describe("a document with", () => {
  it.each(Object.entries(features))("%s is verified without a false alarm", async (_, feature) => {
    const { report, seen } = await verify(feature, false);
    expect(report.rules.filter(({ state }) => state === "broken")).toEqual([]);
    expect(report.rules.find(({ id }) => id === "it.response")?.state).toBe("kept");
    const bodies = seen.flatMap((one) => /^content-type: application\/json\n.*\n\n(.*)$/ms.exec(one)?.[1] ?? []);
    expect(bodies.filter((body) => !body.includes("unfinished") && parseJson(body) === undefined)).toEqual([]);
    for (const sent of feature.sends ?? [])
      expect(
        seen.some((one) => sent.test(one)),
        JSON.stringify(seen.slice(0, 3)),
      ).toBe(true);
  });

  const faulty = Object.entries(features).filter(([, { wrong, refusal }]) => (wrong ?? refusal) !== undefined);
  it.each(faulty)("%s tells a server that is wrong about it", async (_, feature) => {
    expect(blamed((await verify(feature, true)).report)).toContain("it.response");
  });
});
