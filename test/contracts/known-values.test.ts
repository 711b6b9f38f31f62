import { describe, expect, it } from "vitest";
import { json, operationStates, ruleStates, type ServedDocument, verifyServed } from "./served-document.js";

const named = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const inPath = (name: string, more: object = {}) => ({
  ...{ name, in: "path", required: true, schema: { type: "string" } },
  ...more,
});
const read = (operationId: string, schema: object = named) => ({
  get: { operationId, responses: { "200": json(schema) } },
});
const ofServer = (more: object = {}) => ({ parameters: [inPath("server_id", more)], ...read("getServer") });

/** The server knows one thing, and answers 404 to any other path as to any other thing. */
const main: ServedDocument["answer"] = (request) =>
  request === "GET /servers/main" ? [200, { id: "main" }] : [404, { error: "Not found" }];
const advice = "no value for `server_id`: give an example, or `--value server_id=…`";

describe("a path with a parameter of which nobody names a value", () => {
  it.each([
    ["is made up", {}],
    ["is an example that the server does not have", { example: "other" }],
  ])("says nothing of an operation if the value %s", async (_, more) => {
    const paths = { "/status": read("getStatus"), "/servers/{server_id}": ofServer(more) };
    const answer: ServedDocument["answer"] = (request) =>
      request === "GET /status" ? [200, { id: "" }] : main(request, {}, "");
    const { report } = await verifyServed({ paths, answer });
    expect(operationStates(report)).toEqual({ getStatus: "done", getServer: "unknown" });
    expect(ruleStates(report)).toMatchObject({ "getServer.response": "not-exercised" });
    expect(report.checks.filter(({ verdict }) => verdict !== "passed" && verdict !== "skipped")).toEqual([]);
    expect(
      new Set(report.checks.flatMap(({ operation, reason }) => (operation === "getServer" ? reason : []))),
    ).toEqual(new Set([advice]));
    expect(report.needs).toMatchObject([
      { need: { kind: "value", parameters: ["server_id"] }, operations: ["getServer"] },
    ]);
  });

  it("skips what a server answers with an undocumented 404 of its own", async () => {
    const answer: ServedDocument["answer"] = (request) =>
      request.includes("/servers/") ? [404, { error: "There is no such server" }] : [404, { error: "Not found" }];
    const { report } = await verifyServed({ paths: { "/servers/{server_id}": ofServer() }, answer });
    expect(report.checks.filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(ruleStates(report)).toMatchObject({ "getServer.response": "not-exercised" });
  });

  it.each<[string, Partial<ServedDocument>, Parameters<typeof verifyServed>[1]]>([
    ["an option", {}, { values: { server_id: "main" } }],
    ["an option with the path up to it", {}, { values: { "/servers/{server_id}": "main" } }],
    ["accord.yaml", { conventions: { values: { server_id: "main" } } }, {}],
    ["an example", { paths: { "/servers/{server_id}": ofServer({ example: "main" }) } }, {}],
    ["the schema", { paths: { "/servers/{server_id}": ofServer({ schema: { type: "string", enum: ["main"] } }) } }, {}],
    [
      "a list",
      {
        paths: { "/servers": read("listServers", { type: "array" }), "/servers/{server_id}": ofServer() },
        answer: (request) => (request === "GET /servers" ? [200, [{ name: "x", id: "main" }]] : main(request, {}, "")),
      },
      {},
    ],
    [
      "a member of another response",
      {
        paths: { "/status": read("getStatus"), "/servers/{server_id}": ofServer() },
        answer: (request) =>
          request === "GET /status" ? [200, { id: "x", own: { serverId: "main" } }] : main(request, {}, ""),
      },
      {},
    ],
    [
      "an object in a response of the same kind",
      {
        paths: { "/own/server": read("getOwnServer"), "/servers/{server_id}": ofServer() },
        answer: (request) => (request === "GET /own/server" ? [200, { id: "main" }] : main(request, {}, "")),
      },
      {},
    ],
    [
      "the first provider state",
      {
        states: { "x-callers": {}, "x-states": { server: { description: "One.", values: { type: "object" } } } },
        answer: (request) =>
          request === "POST /states" ? [200, { credentials: {}, server_id: "main" }] : main(request, {}, ""),
      },
      {},
    ],
  ])("is done if %s names one", async (_, served, options) => {
    const { report } = await verifyServed(
      { paths: { "/servers/{server_id}": ofServer() }, answer: main, ...served },
      options,
    );
    expect(operationStates(report)).toMatchObject({ getServer: "done" });
    expect(ruleStates(report)).toMatchObject({ "getServer.response": "kept" });
    expect(report.checks.filter(({ verdict }) => verdict === "failed")).toEqual([]);
  });

  it("is asked for with its path if another parameter has its name, and read as its schema says", async () => {
    const byId = (operationId: string, type: string) => ({
      parameters: [inPath("id", { schema: { type } })],
      ...read(operationId, {}),
    });
    const paths = { "/pets/{id}": byId("getPet", "integer"), "/owners/{id}": byId("getOwner", "string") };
    const answer: ServedDocument["answer"] = (request) =>
      request === "GET /pets/7" ? [200, {}] : [404, { error: "Not found" }];
    const { report, requests } = await verifyServed({ paths, answer }, { values: { "/pets/{id}": "7" } });
    expect(requests).toContain("GET /pets/7");
    expect(operationStates(report)).toEqual({ getPet: "done", getOwner: "unknown" });
    expect(report.needs).toMatchObject([{ need: { kind: "value", parameters: ["/owners/{id}"] } }]);
  });

  it("is sent in an optional parameter, too, except where its absence or another value is tried", async () => {
    const tenant = { name: "tenant", in: "query", schema: { type: "integer" } };
    const paths = { "/servers": { get: { ...read("listServers").get, parameters: [tenant] } } };
    const answer: ServedDocument["answer"] = (request) => (request.includes("/servers") ? [200, { id: "" }] : [404]);
    const { requests } = await verifyServed({ paths, answer }, { values: { tenant: "7" } });
    expect(requests).toContain("GET /servers?tenant=7");
    expect(requests).toContain("GET /servers?tenant=no-such-value");
  });

  it("rejects a value of a parameter that the contract lacks", async () => {
    const run = verifyServed(
      { paths: { "/servers/{server_id}": ofServer() }, answer: main },
      { values: { sever_id: "a" } },
    );
    await expect(run).rejects.toThrow(
      "A value is given for sever_id, but the contract has no such parameter; did you mean server_id?",
    );
  });
});
