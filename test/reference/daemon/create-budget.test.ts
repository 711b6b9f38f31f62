import { describe, expect, it } from "vitest";
import { BudgetQueueFull, createBudget } from "../../../reference/daemon/create-budget.js";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("createBudget", () => {
  it("grants bytes until none are left, then queues callers in order", async () => {
    const { take } = createBudget(10, 10);
    const served: string[] = [];
    const give = await take(6, never);
    const release: (() => void)[] = [];
    for (const [name, bytes] of [
      ["a", 8],
      ["b", 4],
      ["c", 2],
    ] as const)
      void take(bytes, never).then((back) => {
        served.push(name);
        release.push(back);
      });
    await turn();
    expect(served).toEqual([]);
    give();
    await turn();
    expect(served).toEqual(["a"]);
    release[0]?.();
    await turn();
    expect(served).toEqual(["a", "b", "c"]);
  });

  it("rejects callers beyond the queue, and serves again once it is shorter", async () => {
    const { take } = createBudget(1, 1);
    const give = await take(1, never);
    const waiting = take(1, never);
    await expect(take(1, never)).rejects.toThrow(BudgetQueueFull);
    give();
    (await waiting)();
    expect(await take(1, never)).toBeTypeOf("function");
  });

  it("removes a caller whose signal aborts, and serves the callers behind it", async () => {
    const { take } = createBudget(4, 10);
    const give = await take(2, never);
    const abort = new AbortController();
    const large = take(4, abort.signal);
    const small = take(2, never);
    await turn();
    abort.abort(new Error("gone"));
    await expect(large).rejects.toThrow("gone");
    await expect(take(1, abort.signal)).rejects.toThrow("gone");
    (await small)();
    give();
    expect(await take(4, never)).toBeTypeOf("function");
  });
});
