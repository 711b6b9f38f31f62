import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../src/contract/chat/level/cases-at-level.js";
import { runDredd } from "../../../src/verify/chat/dredd/run-dredd.js";
import { listProbes } from "../../../src/verify/chat/probes/list-probes.js";
import { runProbes } from "../../../src/verify/chat/probes/run-probes.js";
import { runTusCheck, tusCheck } from "../../../src/verify/chat/tus/run-tus-check.js";
import { listWorkflows } from "../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../src/verify/chat/workflows/run-workflows.js";
import { startStubChat, stubState } from "./stub-chat.js";

const document = await loadContract();
const contract = atFeatureLevel(document, newestLevel);
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const packageVersion = JSON.parse(read("package.json")).version;
const contractVersion = parse(read("openapi/chat.yaml")).info.version;

/** Starts a server that refuses every request, except that of an upload. */
function startRefusing() {
  const refusal = { status: 400, body: { result: "error", msg: "no", code: "BAD_REQUEST" } };
  return startStubChat(
    ({ url, method }) =>
      url === "/tus" && method === "POST" ? { status: 201, headers: { Location: "/tus/1" }, body: "" } : refusal,
    () => ({ body: stubState({ stream_id: 9, message_id: 8, incompatible: "Old/1", compatible: "New/1" }) }),
  );
}

const means = { contract, validators: responseValidators, jobs: 1 };

describe("the User-Agent of a verification", () => {
  it.each([
    [
      "cases",
      (server: Awaited<ReturnType<typeof startRefusing>>) => {
        const cases = casesAtLevel(document, newestLevel).filter(({ given }) => given.length < 2);
        return runDredd(cases.slice(0, 5), { ...server, contract, level: newestLevel, jobs: 1 });
      },
    ],
    [
      "workflows",
      (server: Awaited<ReturnType<typeof startRefusing>>) =>
        runWorkflows(listWorkflows(document, contract).slice(0, 5), { ...server, ...means }),
    ],
    [
      "probes",
      (server: Awaited<ReturnType<typeof startRefusing>>) => {
        const probes = listProbes(contract).filter(({ operationId }) => operationId === "getUserStatus");
        return runProbes({ ...server, ...means, seed: 1, runs: 2, probes });
      },
    ],
    [
      "resumable uploads",
      (server: Awaited<ReturnType<typeof startRefusing>>) => {
        const check = tusCheck({ workflowId: "uploads-tus-resume", rules: ["uploads.tus.resumable"] });
        return runTusCheck(check, { ...server, timeoutMs: 60_000, signal: new AbortController().signal });
      },
    ],
  ])("names the package and the contract, with their versions, in %s", async (_, run) => {
    const server = await startRefusing();
    await run(server);
    expect(server.seen.length).toBeGreaterThan(1);
    const agents = new Set(server.seen.map(({ userAgent }) => userAgent));
    expect([...agents]).toEqual([`accord-contracts/${packageVersion} chat-contract/${contractVersion}`]);
  });

  it("is that of the step where a workflow gives one", async () => {
    const server = await startRefusing();
    const workflows = listWorkflows(document, contract).filter((one) => JSON.stringify(one).includes('"User-Agent"'));
    expect(workflows.length).toBeGreaterThan(0);
    await runWorkflows(workflows, { ...server, ...means });
    expect(server.seen.map(({ userAgent }) => userAgent)).toContain("Old/1");
  });
});
