import { describe, expect, it } from "vitest";
import { createReactions, type ReactionRequest } from "../../../src/traffic/judge/coverage.js";
import { createTrafficRecorder, type JudgedSide } from "../../../src/traffic/judge/create-traffic-recorder.js";
import type { TrafficFinding } from "../../../src/traffic/judge/finding.js";

const finding: TrafficFinding = {
  party: "client",
  rule: "request.name",
  strength: "must",
  subject: "tpic",
  problem: "Tpic?",
};

function side(findings: readonly TrafficFinding[], more: Partial<JudgedSide> = {}): JudgedSide {
  return { party: "client", operation: "edit", findings, shown: ["request.name"], describe: async () => [], ...more };
}

describe("createTrafficRecorder", () => {
  it("merges equal findings into one check, with the number of exchanges and the first of them", async () => {
    const { add, checks } = createTrafficRecorder(false);
    const first = await add(side([finding, finding], { describe: async () => [{ command: "first", request: "" }] }));
    const second = await add(side([finding], { describe: async () => [{ command: "second", request: "" }] }));
    await add(side([]));

    expect(first.map(({ id }) => id)).toEqual(["client edit: request.name tpic"]);
    expect(second).toEqual([]);
    expect(checks()).toMatchObject([
      {
        id: "client edit: request.name tpic",
        kind: "request",
        summary: "Found in 2 exchanges, first in this one.",
        outcome: { kind: "failed", problems: ["Tpic?"], trace: [{ command: "first" }] },
      },
      { id: "client edit", summary: "1 of 3 requests follow the contract.", outcome: { kind: "passed" } },
    ]);
  });

  it("fails on recommendations only if it is strict", async () => {
    for (const strict of [false, true]) {
      const { add, checks } = createTrafficRecorder(strict);
      await add(side([{ ...finding, strength: "should" }]));
      expect(checks()[0]?.outcome.kind).toBe(strict ? "failed" : "deviated");
    }
  });

  it("keeps a bounded number of findings", async () => {
    const { add, checks } = createTrafficRecorder(false);
    for (let at = 0; at < 3_000; at++) await add(side([{ ...finding, subject: `p${at}` }], { operation: `o${at}` }));
    expect(checks().length).toBeLessThanOrEqual(2_000);
  });
});

describe("createReactions", () => {
  const request = (more: Partial<ReactionRequest>): ReactionRequest => ({
    startedAt: 0,
    endedAt: 0,
    caller: "a",
    request: () => "GET /",
    provoked: [],
    ...more,
  });

  it("distinguishes repetitions, other requests and silence, for each client", () => {
    const { observe, result } = createReactions();
    observe(request({ startedAt: 0, endedAt: 10, provoked: ["rate-limit"] }));
    // Began before the provoked response ended, and belongs to another client.
    observe(request({ startedAt: 5, endedAt: 15 }));
    observe(request({ startedAt: 20, endedAt: 25, caller: "b" }));
    observe(request({ startedAt: 30, endedAt: 40, provoked: ["rate-limit"] }));
    observe(request({ startedAt: 50, endedAt: 60, request: () => "GET /other", provoked: ["rate-limit"] }));

    expect(result()).toEqual([{ name: "rate-limit", count: 3, repeated: 1, wentOn: 1, stopped: 1 }]);
  });
});
