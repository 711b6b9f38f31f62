import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import { basePath } from "../../src/contract/rest/base-path.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { loadExample } from "./verify-contract.js";

/** What a server answers to every request. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function verify(name: string, { status, type, body }: Answer) {
  const contract = await loadExample(name);
  const { url, close } = await listen(
    createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "Content-Type": type });
      response.end(body);
    }),
  );
  onTestFinished(close);
  return toJsonReport(
    await verifyRest(contract, { url: `${url}${basePath(contract.document)}`, degree: "everything", seed: 1 }),
  );
}

const problem = "application/problem+json";

describe("without states and accounts, a server that gives every request the same answer", () => {
  it.each<[string, string, Answer, string]>([
    ["404 of a framework", "museum", { status: 404, type: "text/html", body: "Cannot GET" }, "not-implemented"],
    ["404 of the API", "museum", { status: 404, type: problem, body: '{"title":"No"}' }, "not-implemented"],
    ["401", "museum", { status: 401, type: problem, body: '{"title":"Log in"}' }, "unknown"],
    ["501", "museum", { status: 501, type: "text/plain", body: "" }, "not-implemented"],
    ["success", "museum", { status: 200, type: "application/json", body: "{}" }, "not-implemented"],
    ["404", "parcels", { status: 404, type: "text/plain", body: "no" }, "not-implemented"],
    ["success", "parcels", { status: 200, type: "text/plain", body: "ok" }, "not-implemented"],
  ])("with %s has no operation of the %s, and no rule is kept or broken", async (_, name, answer, presence) => {
    const { operations = [], rules } = await verify(name, answer);
    const judged = rules.filter(({ state }) => state !== "not-exercised" && state !== "untestable");
    expect(judged.map(({ id, state }) => `${id} ${state}`)).toEqual([]);
    expect(new Set(operations.map((one) => one.presence))).toEqual(new Set([presence]));
  });
});
