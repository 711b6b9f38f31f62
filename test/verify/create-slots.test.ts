import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSlots } from "../../src/verify/create-slots.js";

/** Creates work that ends when the test says so. */
function createWork(wanted: number) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { wanted, ended, isStarted: false, end: (error?: Error) => end(error) };
}

describe("createSlots", () => {
  it("starts work in order as soon as enough slots are free", async () => {
    const { hold } = createSlots(3);
    const works = [2, 1, 2, 1].map(createWork);
    const held = works.map((work) =>
      hold(work.wanted, () => {
        work.isStarted = true;
        return work.ended;
      }).catch(() => "failed"),
    );
    const started = () => works.map((work) => work.isStarted);
    await setImmediate();
    expect(started()).toEqual([true, true, false, false]);
    works[1]?.end();
    await setImmediate();
    // The last one would fit, but it is not its turn.
    expect(started()).toEqual([true, true, false, false]);
    works[0]?.end(new Error("no"));
    await setImmediate();
    expect(started()).toEqual([true, true, true, true]);
    works[2]?.end();
    works[3]?.end();
    expect(await Promise.all(held)).toEqual(["failed", undefined, undefined, undefined]);
  });
});
