import { expect, it } from "vitest";
import { runAll } from "../../src/verify/run-all.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("works on several at a time, on each once", async () => {
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

it("begins nothing more when it is aborted", async () => {
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

it("rejects when some work does", async () => {
  await expect(runAll([1, 2], 2, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
