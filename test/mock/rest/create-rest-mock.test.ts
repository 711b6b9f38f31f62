import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadRestDocument } from "../../../src/contract/project/load-rest-document.js";
import { findContract } from "../../../src/contract/project/read-project.js";
import { loadOpenApi } from "../../../src/contract/rest/load-openapi.js";
import { stranger } from "../../../src/contract/rest/security.js";
import { createRestMock } from "../../../src/mock/rest/create-rest-mock.js";
import { makeFolder } from "../../support/museum.js";

const json = (schema: object, more: object = {}) => ({ "application/json": { schema, ...more } });
const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
const node = { type: "object", required: ["name", "kind", "children"] };

/** What the conventions of the chat API lack: JSON bodies, several statuses and media types, styles, schemas in circles, odd examples. */
const garden = {
  openapi: "3.0.3",
  info: { title: "Garden", version: "1" },
  servers: [{ url: "https://{stage}.example/garden/v2", variables: { stage: { default: "live" } } }],
  security: [{ key: [] }, { login: [] }],
  paths: {
    "/water": {
      post: {
        security: [],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", required: ["litres"], properties: { litres: { type: "integer" } } },
            },
          },
        },
        responses: { "204": { description: "Watered." }, "400": { description: "How much?", content: problem } },
      },
    },
    "/plants": {
      get: {
        parameters: [
          { name: "ids", in: "query", explode: false, schema: { type: "array", items: { type: "integer" } } },
          { name: "tags", in: "query", schema: { type: "array", items: { type: "string", enum: ["sun", "shade"] } } },
          {
            name: "size",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { min: { type: "number" } } },
          },
          { name: "brief", in: "query", allowEmptyValue: true, schema: { type: "boolean" } },
          { name: "long", in: "query", schema: { type: "boolean" } },
          { name: "X-Trace", in: "header", schema: { type: "integer" } },
          { name: "Accept", in: "header", required: true, schema: { enum: ["a type that OpenAPI ignores here"] } },
        ],
        responses: {
          "200": {
            description: "Plants.",
            content: json({ type: "array", items: { $ref: "#/components/schemas/Plant" } }),
          },
          "401": { description: "No key.", content: problem },
        },
      },
      post: {
        requestBody: { required: true, content: json({ $ref: "#/components/schemas/Plant" }) },
        responses: {
          "201": {
            description: "Planted.",
            headers: { Location: { required: true, schema: { type: "string" }, example: "/plants/7" } },
            content: json({ $ref: "#/components/schemas/Plant" }),
          },
          "422": { description: "Invalid.", content: problem },
        },
      },
    },
    "/plants/{plant-id}": {
      parameters: [{ name: "plant-id", in: "path", required: true, schema: { type: "integer" } }],
      put: {
        requestBody: {
          content: { ...json({ $ref: "#/components/schemas/Plant" }), "text/*": { schema: { type: "string" } } },
        },
        responses: { "204": { description: "Replaced." } },
      },
    },
    "/photo": {
      get: {
        security: [],
        responses: {
          "200": {
            description: "A photo.",
            content: { "image/svg+xml": { schema: { type: "string" }, example: "<svg/>" } },
          },
        },
      },
    },
    "/motto": {
      get: {
        security: [],
        responses: { "200": { description: "A text.", content: json({ type: "string" }, { example: "Grow" }) } },
      },
    },
    "/wrong": {
      get: {
        security: [],
        responses: { "200": { description: "Bad example.", content: json({ type: "integer" }, { example: "seven" }) } },
      },
    },
    "/beds": {
      get: {
        security: [],
        responses: { "200": { description: "A tree.", content: json({ $ref: "#/components/schemas/Bed" }) } },
      },
    },
    "/scim": {
      get: {
        security: [],
        responses: {
          "200": {
            description: "A member named $ref.",
            content: json(
              { type: "object" },
              { examples: { one: { value: { members: [{ $ref: "https://192.0.2.1/Users/1" }] } } } },
            ),
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "query", name: "key" }, login: { type: "http", scheme: "bearer" } },
    schemas: {
      Plant: {
        type: "object",
        required: ["id", "name"],
        properties: { id: { type: "integer", readOnly: true }, name: { type: "string", minLength: 2 } },
      },
      Problem: {
        type: "object",
        required: ["title"],
        properties: { title: { type: "string" }, status: { type: "integer" } },
      },
      Node: {
        ...node,
        properties: {
          name: { type: "string" },
          kind: { type: "string" },
          children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
        },
      },
      Bed: { allOf: [{ properties: { kind: { enum: ["BED"] } } }, { $ref: "#/components/schemas/Node" }] },
    },
  },
};

async function serveGarden(): Promise<string> {
  const folder = makeFolder({ "openapi.json": garden });
  const { url, close } = await createRestMock(await loadOpenApi(join(folder, "openapi.json")));
  onTestFinished(close);
  return `${url}/garden/v2`;
}

async function call(method: string, target: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${await serveGarden()}${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text: await response.text(),
    headers: response.headers,
  };
}

const asJson = { "Content-Type": "application/json" };

describe("the mock of any OpenAPI document", () => {
  it.each<[string, string, string, string | undefined, Record<string, string>, number, string | null]>([
    ["an array", "GET", "/plants?key=1", undefined, {}, 200, "application/json"],
    [
      "another kind of credentials",
      "GET",
      "/plants",
      undefined,
      { Authorization: "Bearer x" },
      200,
      "application/json",
    ],
    ["no credentials", "GET", "/plants", undefined, {}, 401, "application/problem+json"],
    ["a stranger's key", "GET", `/plants?key=${stranger.secret}`, undefined, {}, 401, "application/problem+json"],
    [
      "a stranger's token",
      "GET",
      "/plants",
      undefined,
      { Authorization: `Bearer ${stranger.secret}` },
      401,
      "application/problem+json",
    ],
    [
      "arrays and objects in the query",
      "GET",
      "/plants?key=1&ids=1,2&tags=sun&tags=shade&size[min]=2.5",
      undefined,
      {},
      200,
      "application/json",
    ],
    ["a wrong entry in the query", "GET", "/plants?key=1&ids=1,x", undefined, {}, 400, "application/problem+json"],
    [
      "a word outside the enumeration",
      "GET",
      "/plants?key=1&tags=moon",
      undefined,
      {},
      400,
      "application/problem+json",
    ],
    [
      "a wrong member of an object in the query",
      "GET",
      "/plants?key=1&size[min]=small",
      undefined,
      {},
      400,
      "application/problem+json",
    ],
    ["a wrong header", "GET", "/plants?key=1", undefined, { "X-Trace": "x" }, 400, "application/problem+json"],
    [
      "a body without what only responses have",
      "POST",
      "/plants?key=1",
      '{"name":"Fern"}',
      asJson,
      201,
      "application/json",
    ],
    ["an invalid body", "POST", "/plants?key=1", '{"name":"F"}', asJson, 422, "application/problem+json"],
    ["a body that is no JSON", "POST", "/plants?key=1", "{", asJson, 422, "application/problem+json"],
    ["no body", "POST", "/plants?key=1", undefined, {}, 422, "application/problem+json"],
    [
      "a body of another type",
      "POST",
      "/plants?key=1",
      "Fern",
      { "Content-Type": "text/plain" },
      415,
      "application/problem+json",
    ],
    ["a body in a range of types", "PUT", "/plants/7?key=1", "Fern", { "Content-Type": "text/plain" }, 204, null],
    ["a form that is left out", "POST", "/water", undefined, {}, 204, null],
    [
      "a form without what it needs",
      "POST",
      "/water",
      "a=1",
      { "Content-Type": "application/x-www-form-urlencoded" },
      400,
      "application/problem+json",
    ],
    ["a flag that may be empty", "GET", "/plants?key=1&brief", undefined, {}, 200, "application/json"],
    ["another value of that flag", "GET", "/plants?key=1&brief=7", undefined, {}, 400, "application/problem+json"],
    ["a flag that may not", "GET", "/plants?key=1&long", undefined, {}, 400, "application/problem+json"],
    ["a wrong path value", "PUT", "/plants/fern?key=1", undefined, {}, 400, "application/problem+json"],
    ["a wrong method", "DELETE", "/plants/7?key=1", undefined, {}, 405, "application/problem+json"],
    ["an unknown path", "GET", "/weeds", undefined, {}, 404, "application/problem+json"],
  ])("responds to %s", async (_, method, target, body, headers, status, type) => {
    expect(await call(method, target, body, headers)).toMatchObject({ status, type });
  });

  it.each([
    ["text that is no JSON", "/photo", "image/svg+xml", "<svg/>"],
    ["a text in JSON", "/motto", "application/json", '"Grow"'],
    ["a generated body instead of an example that the schema forbids", "/wrong", "application/json", "0"],
    ["an end to schemas in circles", "/beds", "application/json", '{"kind":"BED","name":"string","children":[]}'],
    [
      "data with a member named $ref, which it does not fetch",
      "/scim",
      "application/json",
      '{"members":[{"$ref":"https://192.0.2.1/Users/1"}]}',
    ],
  ])("sends %s", async (_, path, type, text) => {
    expect(await call("GET", path)).toMatchObject({ status: 200, type, text });
  });

  it("sends documented headers", async () => {
    const { headers } = await call("POST", "/plants?key=1", '{"name":"Fern"}', asJson);
    expect(headers.get("location")).toBe("/plants/7");
  });

  it("names what is wrong if the document has no format for it", async () => {
    const { text } = await call("GET", "/plants?key=1&tags=moon");
    expect(JSON.parse(text)).toMatchObject({ status: 400, detail: expect.stringMatching(/'tags' at 0 .*sun, shade/) });
  });

  it.each([
    ["a/b,", 406],
    ["a/b, c", 406],
    ["json", 406],
    ["b/", 406],
    ['application/json;v="a,b"', 200],
    ['text/html;v="a,b', 406],
    ["*", 200],
    ["*;q=.2, a/b", 200],
    [" ", 200],
    [`a/b${" ;".repeat(20_000)}"`, 406],
  ])("reads the header Accept: %.40s", async (accept, status) => {
    expect(await call("GET", "/plants?key=1", undefined, { Accept: accept })).toMatchObject({ status });
  });

  it("names the media types that it has if none of them is acceptable", async () => {
    const { status, text } = await call("GET", "/plants?key=1", undefined, { Accept: "application/xml" });
    expect([status, JSON.parse(text).detail]).toEqual([
      406,
      expect.stringMatching(/Accept: application\/xml.* Media types: application\/json/),
    ]);
  });
});

describe("an error of the mock", () => {
  const token = { Authorization: "Bearer x" };
  const exhibit = '{"title":"Orrery","room":"west","materials":[]}';

  it.each<[string, string, string, Record<string, string>, string | undefined, object]>([
    [
      "names credentials",
      "GET",
      "/exhibits",
      {},
      undefined,
      { type: "UNAUTHORIZED", status: 401, detail: /lacks credentials: send the header Authorization: Bearer/ },
    ],
    ["names the path", "GET", "/exhibit", token, undefined, { status: 404, detail: /No operation .* \/v2\/exhibit$/ }],
    [
      "names the methods",
      "DELETE",
      "/exhibits",
      token,
      undefined,
      { status: 405, detail: /DELETE is not allowed at \/v2\/exhibits; allowed: GET, POST/ },
    ],
    [
      "names the place in a body",
      "POST",
      "/exhibits",
      { ...token, ...asJson },
      exhibit.replace("Orrery", ""),
      { type: "BAD_REQUEST", status: 400, detail: /\/title/ },
    ],
    ["names media types", "POST", "/exhibits", token, exhibit, { status: 415, detail: /send application\/json/ }],
    [
      "names the preference",
      "DELETE",
      "/exhibits/7",
      { ...token, Prefer: "code=404" },
      undefined,
      { type: "NOT_FOUND", title: "Not Found", status: 404, detail: /Prefer/ },
    ],
    [
      "lists the examples",
      "GET",
      "/exhibits/7",
      { ...token, Prefer: "example=lost" },
      undefined,
      { status: 400, detail: /example=lost\. Examples: loaned \(200\), missing \(404\)/ },
    ],
    [
      "is a written example",
      "GET",
      "/exhibits/7",
      { ...token, Prefer: "example=missing" },
      undefined,
      { type: "/problems/not-found", title: "Not found", status: 404 },
    ],
  ])("%s in the format of the contract", async (_, method, path, headers, body, want) => {
    const contract = findContract("museum", join(import.meta.dirname, "../../contracts/museum/accord.yaml"));
    if (contract.kind !== "rest") throw new Error("The museum has an OpenAPI document");
    const { url, close } = await createRestMock(await loadRestDocument(contract));
    onTestFinished(close);
    const response = await fetch(`${url}/v2${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const patterns = Object.entries(want).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(await response.json()).toMatchObject({ ...Object.fromEntries(patterns), status: response.status });
  });
});

it("sends integers beyond 2^53 as the document has them, and says in a header why it refuses where no body can", async () => {
  const schema = "{type: object, properties: {id: {type: integer, example: 9007199254740993}}}";
  const parameters = "[{name: n, in: query, schema: {type: integer, maximum: 9}}]";
  const responses = `{"200": {description: It., content: {application/json: {schema: ${schema}}}}, "400": {description: No.}}`;
  const folder = makeFolder({
    "openapi.yaml": `openapi: 3.1.0\ninfo: {title: Big, version: "1"}\npaths: {/a: {get: {parameters: ${parameters}, responses: ${responses}}}}\n`,
  });
  const mock = await createRestMock(await loadOpenApi(join(folder, "openapi.yaml")));
  onTestFinished(() => mock.close());
  expect(await (await fetch(`${mock.url}/a`)).text()).toBe('{"id":9007199254740993}');
  const refused = await fetch(`${mock.url}/a?n=10`);
  expect([refused.status, await refused.text()]).toEqual([400, ""]);
  expect(refused.headers.get("Accord-Reason")).toMatch(/'n' .*<= 9/);
});
