import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadRestContract } from "../../../src/behaviour/load-rest-contract.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { makeFolder } from "../../support/museum.js";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Verifies a server of these paths, and returns the states of its operations, its problems, and the requests that it got. */
async function verify(paths: object, answer: Answer, openapi = "3.1.0") {
  const folder = makeFolder({ "openapi.json": { openapi, info: { title: "A", version: "1" }, paths } });
  const file = join(folder, "openapi.json");
  const contract = await loadRestContract({ kind: "rest", name: "a", openapi: file, conventions: {} });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? ""}`.trim());
    if (request.url?.startsWith("/accord-no-such") === true) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = toJsonReport(await verifyRest(contract, { url, degree: "everything", timeoutMs: 20_000, seed: 1 }));
  const states = Object.fromEntries((report.operations ?? []).map(({ id, state }) => [id, state]));
  const untestable = report.rules.flatMap(({ state, untestable: why = "" }) => (state === "untestable" ? why : []));
  const problems = [
    ...new Set(report.checks.flatMap(({ outcome, problems: own = [] }) => (outcome === "failed" ? own : []))),
  ];
  return { states, untestable, problems, requests };
}

const ok = (content: object) => ({ responses: { "200": { description: "", content } } });
const item = { type: "object", required: ["a"], properties: { a: { type: "integer" } } };
const send =
  (type: string, body: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { "Content-Type": type }).end(body);

it("sends no XML, and calls no operation done whose bodies no schema judges", async () => {
  const xml = { "application/xml": { schema: item } };
  const paths = { "/a": { get: ok(xml), post: { requestBody: { required: true, content: xml }, ...ok(xml) } } };
  const { states, untestable, problems, requests } = await verify(paths, send("application/xml", "<a/>"));
  expect(states).toMatchObject({ getA: "partial" });
  expect(states.postA).not.toBe("done");
  expect(untestable).toEqual(["Accord does not read application/xml", "Accord writes no application/xml"]);
  expect(problems).toEqual([]);
  expect(requests.filter((one) => one.includes("xml"))).toEqual([]);
});

it("sends JSON beside XML", async () => {
  const both = { "application/xml": { schema: item }, "application/json": { schema: item } };
  const paths = { "/a": { post: { requestBody: { required: true, content: both }, ...ok(both) } } };
  const { states, requests } = await verify(paths, send("application/json", '{"a":1}'));
  expect(states).toEqual({ postA: "done" });
  expect(requests).toContain("POST /a application/json");
});

it.each<[type: string, body: string, problems: string[]]>([
  ["application/jsonl", '{"a":1}\n{"a":2}\n', []],
  ["application/jsonl", '{"a":1}\n{"a":"two"}\n', ["item 2: /a: must be integer"]],
  ["application/x-ndjson", "{a}", ["item 1: expected JSON"]],
  ["application/json-seq", '\u001e{"a":1}\n\u001e{}\n', ["item 2: body: must have required property 'a'"]],
])("judges each item of %s by itemSchema: %s", async (type, body, problems) => {
  const found = await verify({ "/a": { get: ok({ [type]: { itemSchema: item } }) } }, send(type, body), "3.2.0");
  expect(found.problems).toEqual(problems);
  expect(found.states).toEqual({ getA: problems.length === 0 ? "done" : "failing" });
});

it("reads a stream of events without end for a while only", async () => {
  const event = { type: "object", required: ["data"], properties: { event: { enum: ["tick"] } } };
  const paths = { "/a": { get: ok({ "text/event-stream": { itemSchema: event } }) } };
  const endless: Answer = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write("event: tick\ndata: 1\n\nevent: ti");
  };
  expect(await verify(paths, endless, "3.2.0")).toMatchObject({ states: { getA: "done" }, problems: [] });
  const wrong: Answer = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write("event: tock\ndata: 1\n\n");
  };
  expect((await verify(paths, wrong, "3.2.0")).problems).toEqual(["item 1: /event: must be one of tick"]);
});

it("names events without itemSchema instead of calling them judged", async () => {
  const { states, untestable } = await verify(
    { "/a": { get: ok({ "text/event-stream": { schema: item } }) } },
    send("text/event-stream", "data: 1\n\n"),
  );
  expect(states).toEqual({ getA: "partial" });
  expect(untestable).toEqual(["Accord judges the items of text/event-stream only by `itemSchema` of OpenAPI 3.2"]);
});

it("calls the method query, and sends the fields of a form that is the query string", async () => {
  const form = {
    "application/x-www-form-urlencoded": { schema: { required: ["q"], properties: { q: { type: "integer" } } } },
  };
  const json = { "application/json": { schema: { type: "string" } } };
  const paths = {
    "/a": {
      query: { requestBody: { required: true, content: { "application/json": { schema: item } } }, ...ok(json) },
    },
    "/b": { get: { parameters: [{ name: "all", in: "querystring", content: form }], ...ok(json) } },
  };
  const { states, requests } = await verify(paths, send("application/json", '"s"'), "3.2.0");
  expect(requests).toEqual(expect.arrayContaining(["QUERY /a application/json", "GET /b?q=0"]));
  expect(states).toEqual({ queryA: "done", getB: "done" });
});

it("probes each member of an object in the query", async () => {
  const page = { type: "object", properties: { number: { type: "integer" }, sort: { enum: ["up"] } } };
  const parameters = [{ name: "page", in: "query", style: "deepObject", schema: page, example: { number: 1 } }];
  const paths = { "/a": { get: { parameters, ...ok({ "application/json": { schema: { type: "string" } } }) } } };
  const { requests } = await verify(paths, send("application/json", '"s"'));
  const sent = requests.map((one) => decodeURIComponent(one));
  expect(sent).toContain("GET /a?page[number]=no-such-value");
  expect(sent).toContain("GET /a?page[number]=1&page[sort]=no-such-value");
});
