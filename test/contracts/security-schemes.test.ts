import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { readProject } from "../../src/contract/project/read-project.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { listenOn } from "../support/listen-on.js";
import { makeFolder } from "../support/museum.js";

type Accepts = (request: IncomingMessage) => boolean;

const text = { "200": { description: "It.", content: { "application/json": { schema: { type: "string" } } } } };
const openapi = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: {
    "/thing": { get: { operationId: "getThing", security: [{ app: [], user: [] }, { token: [] }], responses: text } },
  },
  components: {
    securitySchemes: {
      app: { type: "apiKey", in: "header", name: "X-App" },
      user: { type: "apiKey", in: "header", name: "X-User" },
      token: { type: "http", scheme: "bearer" },
    },
  },
};
const states = { "x-callers": { caller: "Anyone." }, "x-states": { empty: { description: "Nothing." } } };
const credentials = { app: "app-s3cret", user: "user-s3cret", token: "token-s3cret" };
const workflows = {
  strangers: {
    summary: "Strangers are refused",
    as: "stranger",
    rules: ["getThing.credentials"],
    given: ["empty"],
    steps: [
      { id: "unknown", call: "getThing", expect: { status: 401 } },
      { id: "token", as: { token: "none" }, call: "getThing", expect: { status: 401 } },
      { id: "own", as: { token: "$credentials.caller.token" }, call: "getThing", expect: { status: 200 } },
    ],
  },
};

const hasApp: Accepts = ({ headers }) => headers["x-app"] === credentials.app;
const hasUser: Accepts = ({ headers }) => headers["x-user"] === credentials.user;
const hasToken: Accepts = ({ headers }) => headers.authorization === `Bearer ${credentials.token}`;

async function verify(accepts: Accepts, given: object = workflows) {
  const folder = makeFolder({
    "accord.yaml": "contracts: {things: {openapi: openapi.yaml}}\n",
    "openapi.yaml": openapi,
    "states.yaml": states,
    "behaviour/things.yaml": given,
  });
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/states") return send(200, { organization: "o", credentials: { caller: credentials } });
    if (request.url !== "/thing") return send(404, "no such path");
    return accepts(request) ? send(200, "thing") : send(401, "who are you?");
  });
  const origin = `http://127.0.0.1:${await listenOn(server)}`;
  onTestFinished(() => void server.close());
  const [project] = readProject(join(folder, "accord.yaml")).contracts;
  if (project?.kind !== "rest") throw new Error("no contract in OpenAPI");
  const contract = await loadRestContract(project);
  const report = await verifyRest(contract, { url: origin, statesUrl: `${origin}/states`, seed: 1 });
  expect(JSON.stringify(report)).not.toMatch(/-s3cret/);
  return toJsonReport(report).checks.flatMap(({ id, verdict }) => (verdict === "failed" ? id : []));
}

it.each<[does: string, accepts: Accepts, failed: string[]]>([
  ["takes each alternative", (one) => (hasApp(one) && hasUser(one)) || hasToken(one), []],
  ["takes a part of an alternative", (one) => hasApp(one) || hasToken(one), ["probe getThing/only-app"]],
  ["takes only the first", (one) => hasApp(one) && hasUser(one), ["workflow strangers"]],
])("a server that %s fails %j", async (_, accepts, failed) => {
  expect((await verify(accepts)).sort()).toEqual(failed);
});

it("names credentials that no scheme takes", async () => {
  const wrong = { ...workflows.strangers, steps: [{ id: "a", as: { tokem: "x" }, call: "getThing" }] };
  await expect(verify(() => true, { strangers: wrong })).rejects.toThrow(
    "no request logs in by `tokem`: did you mean `token`?",
  );
});
