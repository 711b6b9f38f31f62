import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../../src/listen.js";
import { compileValidators } from "../../../../src/verify/chat/judge/validators.js";
import type { Check } from "../../../../src/verify/check.js";
import { runProbes } from "./run-probes.js";
import { tinyContract } from "./tiny-contract.js";

/** Runs probes whose states are never set up. */
async function runHanging(change: { timeoutMs?: number; signal?: AbortSignal }, onAsked = () => {}): Promise<Check[]> {
  const server = createServer((request, response) => {
    if (request.url === "/states") onAsked();
    else response.end();
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const contract = tinyContract({
    fields: { size: { type: "integer", minimum: 1, maximum: 8 } },
    required: ["size"],
    sends: { size: 3 },
  });
  const validators = await compileValidators(contract);
  return runProbes({ url, statesUrl: url, contract, validators, seed: 7, runs: 0, jobs: 1, ...change });
}

describe("a setup of provider states that never completes", () => {
  it("times out after the time limit of a check", async () => {
    const checks = await runHanging({ timeoutMs: 200 });
    const reasons = checks.flatMap(({ outcome }) => (outcome.kind === "errored" ? [outcome.reason] : []));
    expect(reasons[0]).toMatch(/\/states does not answer: no answer within 200 ms$/);
  });

  it("ends when the run is aborted", async () => {
    const stop = new AbortController();
    const checks = await runHanging({ signal: stop.signal }, () => stop.abort());
    expect(checks.filter(({ outcome }) => outcome.kind === "errored")).toEqual([]);
  });
});
