import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createSecret } from "../../src/secrets/secret.js";
import { proxyRest } from "../../src/traffic/rest/proxy-rest.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { type ApiAnswer, type ApiRequest, serveRoutes } from "./http-api.js";

const json = (status: number, body: unknown): ApiAnswer => ({
  ...{ status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
});
const plain = (status: number, body = ""): ApiAnswer => ({ status, headers: { "Content-Type": "text/plain" }, body });
const of = (member: string) => ({
  description: "It.",
  headers: { "Content-Type": { required: true, schema: { const: "ignored" } } },
  content: {
    "application/json": {
      schema: {
        ...{ type: "object", required: [member], properties: { [member]: { type: "string" } } },
        additionalProperties: false,
      },
    },
  },
});

const folder = mkdtempSync(join(tmpdir(), "accord-answers-"));
afterAll(() => rmSync(folder, { recursive: true }));

let contract: RestContract;
beforeAll(async () => {
  const file = join(folder, "openapi.json");
  const listed = { "200": of("name"), "404": of("error") };
  const responses = {
    listed: { ...listed, "500": of("error") },
    silent: { "200": of("name") },
    ranged: { ...listed, "4XX": of("error"), default: of("error") },
  };
  const protectedBy = { security: [{ key: [] }], responses: { ...listed, "401": of("error") } };
  const paths = Object.entries(responses).map(([operationId, own]) => [
    `/${operationId}`,
    { get: { operationId, summary: "It", responses: own } },
  ]);
  writeFileSync(
    file,
    JSON.stringify({
      ...{ openapi: "3.1.0", info: { title: "T", version: "1" } },
      paths: {
        ...Object.fromEntries(paths),
        "/locked": { get: { operationId: "locked", summary: "It", ...protectedBy } },
      },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    }),
  );
  contract = await loadRestContract({ kind: "rest", name: "t", openapi: file, conventions: {} });
});

async function judge(operation: string, given: ApiAnswer): Promise<{ verify: string[]; proxy: string[] }> {
  const routes = [{ operation, method: "GET", path: new RegExp(`^/${operation}$`), handle: () => given }];
  const { origin, close } = await serveRoutes(routes, { refuse: (status) => plain(status) });
  const proxy = await proxyRest(contract, { url: origin });
  try {
    const { rules } = toJsonReport(await verifyRest(contract, { url: origin, seed: 1, operations: [operation] }));
    await (await fetch(`${proxy.apiUrl}/${operation}`)).text();
    await proxy.close();
    const seen = toJsonReport(await proxy.report()).rules.filter(({ id }) => id.startsWith("response."));
    const wrong = (all: typeof rules) =>
      all
        .filter(({ state }) => state === "broken" || state === "deviating")
        .map(({ id, state }) => `${id.replace(/^\w+\./, "")} ${state}`);
    return { verify: wrong(rules), proxy: wrong(seen).map((one) => one.replace("contract", "response")) };
  } finally {
    await proxy.close();
    await close();
  }
}

const broken = ["response broken"];
const odd = ["response broken", "statuses deviating"];

describe("a response with", () => {
  it.each<[what: string, operation: string, answer: ApiAnswer, want: readonly string[]]>([
    ["its documented form", "listed", json(200, { name: "a" }), []],
    ["a documented refusal", "listed", json(404, { error: "a" }), []],
    ["an undocumented success", "listed", json(202, { name: "a" }), broken],
    ["an undocumented refusal of another media type", "listed", plain(418, "teapot"), odd],
    ["an undocumented refusal of another form", "listed", json(409, ["odd"]), odd],
    ["an undocumented refusal of a documented form", "listed", json(409, { error: "a" }), ["statuses deviating"]],
    ["an undocumented refusal without a body", "listed", plain(409), ["statuses deviating"]],
    ["a refusal of a framework in another form", "listed", plain(400, "no"), ["statuses deviating"]],
    ["a refusal in another form where none is documented", "silent", json(409, ["odd"]), ["statuses deviating"]],
    ["an undocumented refusal of a login in another form", "listed", plain(401, "no"), ["statuses deviating"]],
    ["an undocumented refusal of a right in another form", "listed", plain(403, "no"), ["statuses deviating"]],
    ["a status that HTTP defines for any request", "listed", plain(415, "no"), []],
    ["a documented failure", "listed", json(500, { error: "a" }), ["no-server-error deviating"]],
    ["a documented failure of another form", "listed", json(500, { message: "a" }), broken],
    ["an undocumented failure", "listed", json(507, { error: "a" }), broken],
    ["a refusal of a documented class", "ranged", json(409, { error: "a" }), []],
    ["a refusal of a documented class in another form", "ranged", json(409, ["odd"]), broken],
    ["a refusal of a documented class in another media type", "ranged", plain(418, "teapot"), broken],
    ["a failure that fits the default response", "ranged", json(500, { error: "a" }), ["no-server-error deviating"]],
    ["a refusal of a caller without credentials for another reason", "locked", json(404, { error: "a" }), []],
    ["a success for a caller without credentials", "locked", json(200, { name: "a" }), ["credentials broken"]],
    ["a failure that does not fit the default response", "ranged", plain(500, "panic"), broken],
  ])("%s, where %s documents it or not", async (_, operation, answer, want) => {
    const { verify, proxy } = await judge(operation, answer);
    expect(verify).toEqual(want);
    // Traffic says nothing of credentials.
    expect(proxy).toEqual(want.filter((one) => !one.startsWith("credentials")));
  });
});

it.each<[what: string, withCredentials: ApiAnswer, want: readonly string[]]>([
  ["succeeds", json(200, { name: "a" }), ["credentials broken", "response broken"]],
  ["fails as well", plain(500, "panic"), ["response broken"]],
])("a failure without credentials, where the same request with credentials %s, breaks %s", async (_, given, want) => {
  const path = /^\/locked$/;
  const handle = ({ headers }: ApiRequest) =>
    headers.authorization === "Bearer good" ? given : plain(headers.authorization === undefined ? 500 : 401, "panic");
  const { origin, close } = await serveRoutes([{ operation: "locked", method: "GET", path, handle }], {
    refuse: (status) => plain(status),
  });
  try {
    const options = {
      url: origin,
      seed: 1,
      operations: ["locked"],
      accounts: { caller: { secret: createSecret("good") } },
    };
    const { rules } = toJsonReport(await verifyRest(contract, options));
    const broken = rules.filter(({ state }) => state === "broken").map(({ id }) => `${id.slice(7)} broken`);
    expect(broken.sort()).toEqual(want);
  } finally {
    await close();
  }
});

it("shows the rule about responses by a documented failure, which leaves the operation unfinished", async () => {
  const handle = () => json(500, { error: "a" });
  const routes = [{ operation: "listed", method: "GET", path: /^\/listed$/, handle }];
  const { origin, close } = await serveRoutes(routes, { refuse: (status) => plain(status) });
  try {
    const options = { url: origin, seed: 1, operations: ["listed"] };
    const { rules, operations } = toJsonReport(await verifyRest(contract, options));
    expect(rules.find(({ id }) => id === "listed.response")?.state).toBe("kept");
    expect(operations?.find(({ id }) => id === "listed")?.state).toBe("partial");
  } finally {
    await close();
  }
});
