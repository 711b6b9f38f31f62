import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createJudgeQueue } from "../../../src/traffic/proxy/create-judge-queue.js";
import type { RecordedExchange } from "../../../src/traffic/recorded/recorded-exchange.js";

function exchange(at: number, bytes = 0): RecordedExchange {
  const body = new Uint8Array(bytes);
  return { startedAt: at, endedAt: at, request: { method: "GET", target: "/", headers: {}, body, bodyBytes: bytes } };
}

describe("createJudgeQueue", () => {
  it("judges in order, and everything before drain resolves", async () => {
    const judged: number[] = [];
    const { add, drain } = createJudgeQueue(async ({ startedAt }) => {
      await Promise.resolve();
      judged.push(startedAt);
    });
    for (let at = 0; at < 5_000; at++) add(exchange(at));
    await drain();
    add(exchange(5_000));
    await drain();

    expect(judged).toEqual(Array.from({ length: 5_001 }, (_, at) => at));
  });

  it("judges even if drain is never called", async () => {
    let judged = 0;
    const { add } = createJudgeQueue(async () => {
      judged++;
    });
    add(exchange(0));
    await expect.poll(() => judged).toBe(1);
  });

  it("gives way to the proxy while exchanges arrive", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let working = 0;
    const { add, drain } = createJudgeQueue(async () => {
      vi.advanceTimersByTime(1);
      working++;
    });
    for (let at = 0; at < 40; at++) {
      add(exchange(at));
      vi.advanceTimersByTime(1);
      await turn();
    }
    const meanwhile = working;
    await drain();

    expect(meanwhile).toBeLessThan(35);
    expect(working).toBe(40);
  });

  it("keeps no more bodies than its limit allows", async () => {
    const kept: boolean[] = [];
    const { add, drain } = createJudgeQueue(async ({ request }) => {
      kept.push(request.body !== undefined);
    });
    const large = 100 * 1024 * 1024;
    for (let at = 0; at < 5; at++) add(exchange(at, large));
    await drain();

    expect(kept).toEqual([true, true, true, false, false]);
  });

  it("reports a fault of the judge, and judges the rest", async () => {
    let judged = 0;
    const { add, drain, requireFaultless } = createJudgeQueue(async ({ startedAt }) => {
      judged++;
      if (startedAt === 1) throw new Error("no");
    });
    for (let at = 0; at < 3; at++) add(exchange(at));

    await drain();
    expect(requireFaultless).toThrow("kept exchanges from being judged: no");
    expect(judged).toBe(3);
  });
});
