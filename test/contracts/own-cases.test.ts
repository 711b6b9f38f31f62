import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { readProject } from "../../src/contract/project/read-project.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { listenOn } from "../support/listen-on.js";
import { makeFolder } from "../support/museum.js";

const text = { description: "It.", content: { "text/plain": { schema: { type: "string" } } } };
const rule = (id: string) => ({ id, text: "It is so.", source: "the guide" });
const openapi = {
  openapi: "3.1.0",
  info: { title: "Versions", version: "1" },
  paths: {
    "/version": {
      get: {
        operationId: "getVersion",
        security: [{ token: [] }],
        "x-rules": [rule("version.text"), rule("version.token")],
        responses: { 200: text, 401: text },
      },
    },
    "/notes/{version}": {
      get: {
        operationId: "getNotes",
        parameters: [{ name: "version", in: "path", required: true, example: "42", schema: { type: "string" } }],
        responses: { 200: text },
      },
    },
  },
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
};
const workflows = {
  version: {
    summary: "The version has notes",
    as: { token: "good" },
    rules: ["version.text"],
    steps: [
      { id: "version", call: "getVersion", expect: { status: 200, "": { matches: "^4" } }, outputs: { number: "" } },
      { id: "notes", as: "nobody", call: "getNotes", with: { version: "$version.number" }, expect: { "": "New: 42" } },
    ],
  },
};
const refused = {
  status: 401,
  response: {
    summary: "A token that nobody has",
    "x-case": { rule: "version.token", given: [], as: { token: "none" }, exact: [""] },
    value: "Who are you?",
  },
};

async function verify(version: string, refusal: string): Promise<Record<string, string>> {
  const folder = makeFolder({
    "accord.yaml": "contracts: {versions: {openapi: openapi.yaml}}\n",
    "openapi.yaml": openapi,
    "behaviour/version.yaml": workflows,
    "components/examples/getVersion/unknown_token.yaml": refused,
  });
  const server = createServer(({ url, headers }, response) => {
    const isKnown = headers.authorization === "Bearer good";
    const notes: Record<string, string> = { "/notes/42": "New: 42\n", "/version": isKnown ? version : refusal };
    const body = notes[url ?? ""];
    const status = body === undefined ? 404 : url === "/version" && !isKnown ? 401 : 200;
    response.writeHead(status, { "Content-Type": "text/plain" }).end(body ?? "none");
  });
  const url = `http://127.0.0.1:${await listenOn(server)}`;
  onTestFinished(() => void server.close());
  const [project] = readProject(join(folder, "accord.yaml")).contracts;
  if (project?.kind !== "rest") throw new Error("no contract in OpenAPI");
  const { rules } = toJsonReport(await verifyRest(await loadRestContract(project), { url, seed: 1 }));
  return Object.fromEntries(rules.filter(({ id }) => id.startsWith("version.")).map(({ id, state }) => [id, state]));
}

it.each([
  ["as expected", "42\n", "Who are you?", "kept", "kept"],
  ["otherwise", "x", "Go away", "broken", "broken"],
])("a server of texts that answers %s", async (_, version, refusal, ofText, ofToken) => {
  expect(await verify(version, refusal)).toEqual({ "version.text": ofText, "version.token": ofToken });
});
