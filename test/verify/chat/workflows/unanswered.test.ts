import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { listen } from "../../../../src/listen.js";
import { createServerPresence } from "../../../../src/verify/chat/server/server-presence.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../../src/verify/chat/workflows/run-workflows.js";
import { startStubChat } from "../stub-chat.js";

const contract = await loadContract();
const all = listWorkflows(contract, contract);
const means = { contract, validators: responseValidators };

describe("a run of workflows without responses", () => {
  it("retries a step after a 429", async () => {
    let received = 0;
    const server = await startStubChat(() => {
      received++;
      if (received % 2 === 1) return { status: 429, body: { result: "error", msg: "Wait", code: "RATE_LIMIT_HIT" } };
      const [removed, not_removed] = received === 2 ? [["Denmark"], []] : [[], ["Denmark"]];
      return { body: { result: "success", msg: "", removed, not_removed } };
    });
    const twice = all.filter(({ workflowId }) => workflowId === "subscriptions-remove-twice");
    const [check] = await runWorkflows(twice, { ...server, ...means });
    expect([check?.outcome, received]).toEqual([{ kind: "passed" }, 4]);
  });

  it("stops early if the server hangs", async () => {
    const server = createServer(() => {});
    const { url, close } = await listen(server);
    onTestFinished(close);
    const presence = createServerPresence();
    const some = all.filter(({ states }) => states.length > 0).slice(0, 40);
    const checks = await runWorkflows(some, { url, statesUrl: url, ...means, timeoutMs: 400, jobs: 1, presence });
    const reasons = checks.map(({ outcome }) => (outcome.kind === "errored" ? outcome.reason : outcome.kind));
    expect([checks.length, presence.isGone]).toEqual([40, true]);
    expect(new Set(reasons)).toEqual(new Set(["no answer", "not sent, since 10 checks in a row got no answer"]));
    expect(reasons.filter((reason) => reason === "no answer").length).toBeLessThan(20);
    expect(checks.filter(({ outcome }) => "help" in outcome)).toEqual([]);
  });

  it("starts nothing if the server is already gone", async () => {
    const server = await startStubChat(() => ({ body: {} }));
    const presence = createServerPresence();
    for (let count = 0; count < 10; count++) presence.note(false);
    const checks = await runWorkflows(all.slice(0, 2), { ...server, ...means, presence });
    expect(checks.map(({ outcome }) => outcome)).toEqual(
      [1, 2].map(() => ({
        ...{ kind: "errored", reason: "not sent, since 10 checks in a row got no answer", trace: [] },
      })),
    );
    expect(server.seen).toEqual([]);
  });
});
