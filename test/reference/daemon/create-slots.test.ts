import { describe, expect, it } from "vitest";
import { createSlots, SlotQueueFull } from "../../../reference/daemon/create-slots.js";

const never = new AbortController().signal;

describe("createSlots", () => {
  it("grants slots until none is free, then queues callers in order", async () => {
    const { take } = createSlots(2, 10);
    const leave = await take(never);
    await take(never);
    const served: string[] = [];
    const first = take(never).then((next) => {
      served.push("first");
      next();
    });
    const second = take(never).then(() => served.push("second"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toEqual([]);
    leave();
    await Promise.all([first, second]);
    expect(served).toEqual(["first", "second"]);
  });

  it("rejects callers beyond the queue, and serves again once it is shorter", async () => {
    const { take } = createSlots(1, 1);
    const leave = await take(never);
    const waiting = take(never);
    await expect(take(never)).rejects.toThrow(SlotQueueFull);
    leave();
    (await waiting)();
    expect(await take(never)).toBeTypeOf("function");
  });

  it("removes a caller whose signal aborts, and serves the callers behind it", async () => {
    const { take } = createSlots(1, 10);
    const leave = await take(never);
    const abort = new AbortController();
    const gone = take(abort.signal);
    const next = take(never);
    abort.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await expect(take(abort.signal)).rejects.toThrow("gone");
    leave();
    expect(await next).toBeTypeOf("function");
  });
});
