import { describe, expect, it } from "vitest";
import { runAll } from "../../src/verify/run-all.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("runAll", () => {
  it("processes each item once, several concurrently", async () => {
    let busy = 0;
    let most = 0;
    const done: number[] = [];
    await runAll([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++busy);
      await turn();
      busy--;
      done.push(item);
    });
    expect([most, done]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
  });

  it("starts no more items after the abort", async () => {
    const abort = new AbortController();
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      if (item === 2) abort.abort();
      await turn();
    };
    await runAll([1, 2, 3, 4], 2, work, abort.signal);
    expect(begun).toEqual([1, 2]);
  });

  it("rejects if the work on an item rejects", async () => {
    await expect(runAll([1, 2], 2, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });
});
