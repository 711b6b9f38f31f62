import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { completeOperations } from "../../../src/contract/rest/complete-operations.js";
import type { RestContract } from "../../../src/contract/rest/rest-contract.js";
import { proxyRest } from "../../../src/traffic/rest/proxy-rest.js";
import { listenOn } from "../../support/listen-on.js";

const integers = { type: "array", items: { type: "integer" } };
const exhibit = {
  type: "object",
  required: ["title", "year"],
  properties: { title: { type: "string" }, year: { type: "integer" }, weight: { type: "number" } },
};
const json = (schema: object) => ({ content: { "application/json": { schema } } });

/** A contract with JSON bodies, bearer tokens, and query parameters in the styles of OpenAPI. */
const document = completeOperations({
  openapi: "3.1.0",
  info: { title: "Museum", version: "1.0.0" },
  servers: [{ url: "https://museum.example/v2" }],
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  paths: {
    "/exhibits": {
      get: {
        operationId: "listExhibits",
        parameters: [
          { name: "ids", in: "query", schema: integers },
          { name: "rooms", in: "query", explode: false, style: "pipeDelimited", schema: integers },
          {
            name: "made",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { from: { type: "integer" } } },
          },
          { name: "weight", in: "query", schema: { type: "number", maximum: 9.5 } },
        ],
        responses: { "200": { description: "Exhibits", ...json({ type: "array", items: exhibit }) } },
      },
      post: {
        operationId: "createExhibit",
        requestBody: { required: true, ...json(exhibit) },
        responses: { "200": { description: "The exhibit", ...json(exhibit) } },
      },
    },
    "/loans": {
      post: {
        operationId: "lendExhibit",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["borrower"],
            additionalProperties: false,
            properties: { from: { type: "string" }, to: { type: "string" }, borrower: {} },
            dependentRequired: { to: ["from"] },
          }),
        },
        responses: { "200": { description: "The exhibit", ...json(exhibit) } },
      },
      put: {
        operationId: "replaceLoan",
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                oneOf: [
                  { type: "object", required: ["from"], properties: { from: { type: "integer" } } },
                  { type: "object", required: ["to"], properties: { to: { type: "integer" } } },
                ],
              },
            },
          },
        },
        responses: { "200": { description: "The exhibit", ...json(exhibit) } },
      },
    },
    "/exhibits/{exhibit-id}": {
      put: {
        operationId: "replaceExhibit",
        parameters: [{ name: "exhibit-id", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: { required: true, ...json({ type: "array", items: exhibit }) },
        responses: { "200": { description: "The exhibit", ...json(exhibit) } },
      },
    },
  },
});

const museum: RestContract = { name: "museum", document, workflows: [], states: { "x-states": {} }, newestLevel: 0 };

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly authorization?: string | undefined;
  /** The response. Defaults to one that the contract allows. */
  readonly answer?: unknown;
}

/** Sends a request through a proxy, and returns the problems of the checks by name; null if it passed. */
async function checksOf(call: Call): Promise<Record<string, string | null | undefined>> {
  const { method = "GET", path, body, type = "application/json", answer = { title: "Globe", year: 1622 } } = call;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  const proxy = await proxyRest(museum, { url: `http://127.0.0.1:${await listenOn(server)}/v2` });
  onTestFinished(() => void server.close());
  const authorization = "authorization" in call ? call.authorization : "Bearer 8dTq2xVn";
  await fetch(`${proxy.apiUrl}${path}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  await proxy.close();
  const { checks } = await proxy.report();
  return Object.fromEntries(checks.map(({ id, outcome }) => [id, "problems" in outcome ? outcome.problems[0] : null]));
}

describe("proxyRest with another contract", () => {
  it.each<[string, string, Call]>([
    [
      "lists and objects in the styles of the query",
      "listExhibits",
      { path: "/exhibits?ids=1&ids=2&rooms=3%7C4&made%5Bfrom%5D=1600&weight=2.5", answer: [] },
    ],
    [
      "a JSON body",
      "createExhibit",
      { method: "POST", path: "/exhibits", body: '{"title":"Globe","year":1622,"weight":1.5}' },
    ],
    [
      "a JSON body that is a list, and a hyphen in the path",
      "replaceExhibit",
      { method: "PUT", path: "/exhibits/7", body: '[{"title":"Globe","year":1622}]' },
    ],
    [
      "a JSON body that is nested too deeply to be read",
      "createExhibit",
      { method: "POST", path: "/exhibits", body: `{"title":${"[".repeat(50_000)}${"]".repeat(50_000)}}` },
    ],
  ])("finds no mistake in %s", async (_, operation, call) => {
    const checks = await checksOf(call);
    expect(checks).toEqual({ [`client ${operation}`]: null, [`server ${operation}`]: null });
  });

  it.each<[string, Call, Record<string, string>]>([
    [
      "no credentials",
      { path: "/exhibits", answer: [], authorization: undefined },
      {
        "client listExhibits: request.credentials missing":
          "the operation needs a bearer token in the Authorization header",
      },
    ],
    [
      "a member that needs another one",
      { method: "POST", path: "/loans", body: '{"borrower":1,"to":"x"}' },
      {
        "client lendExhibit: request.value body":
          'the body must have property from when property to is present: {"borrower":1,"to":"x"}',
      },
    ],
    [
      "a form that fits several alternatives",
      { method: "PUT", path: "/loans", body: "from=1&to=2", type: "application/x-www-form-urlencoded" },
      {
        "client replaceLoan: request.value body": 'the body must match exactly one schema in oneOf: {"from":1,"to":2}',
      },
    ],
    [
      "a wrong entry of a list",
      { path: "/exhibits?ids=1&ids=two", answer: [] },
      {
        "client listExhibits: request.value ids": 'ids at 1 must be integer: [1,"two"]',
      },
    ],
    [
      "a list whose items are joined, although each is a field",
      { path: "/exhibits?ids=1,2", answer: [] },
      {
        "client listExhibits: request.value ids":
          'ids at 0 must be integer: ["1,2"]. Send ids once for each item, not separated by commas',
      },
    ],
    [
      "brackets that the style lacks",
      { path: "/exhibits?ids[]=1", answer: [] },
      { "client listExhibits: request.type ids": "ids[] is not supported; send ids once for each item" },
    ],
    [
      "a number out of bounds",
      { path: "/exhibits?weight=12.5", answer: [] },
      {
        "client listExhibits: request.value weight": "weight must be <= 9.5: 12.5",
      },
    ],
    [
      "a field of a wrong type, and one that is missing",
      { method: "POST", path: "/exhibits", body: '{"titel":"Globe","year":"1622"}' },
      {
        "client createExhibit: request.type year":
          'year must be integer: "1622". It is a string; send it without quotation marks',
        "client createExhibit: request.required title": "title is missing",
        "client createExhibit: request.name titel": "titel is not a parameter; did you mean title?",
      },
    ],
    [
      "a body that is not JSON",
      { method: "POST", path: "/exhibits", body: "{title: Globe}" },
      {
        "client createExhibit: request.media-type body": "the body is not JSON",
      },
    ],
    [
      "a form in place of JSON",
      { method: "POST", path: "/exhibits", body: "title=Globe&year=1622", type: "application/x-www-form-urlencoded" },
      {
        "client createExhibit: request.media-type application/x-www-form-urlencoded":
          expect.stringContaining("it must be application/json"),
      },
    ],
    [
      "a response that the schema forbids",
      { method: "POST", path: "/exhibits", body: '{"title":"Globe","year":1622}', answer: { title: "Globe" } },
      {
        "server createExhibit: response.contract 200 body": expect.stringContaining("year"),
      },
    ],
  ])("names %s", async (_, call, findings) => {
    const checks = Object.entries(await checksOf(call)).filter(([, problem]) => problem !== null);
    expect(Object.fromEntries(checks)).toEqual(findings);
  });
});
