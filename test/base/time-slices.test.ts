import { describe, expect, it } from "vitest";
import { createTimeSlices, runInSlices } from "../../src/base/time-slices.js";

function* work(name: string, turns: number, log: string[]): Generator<void, string> {
  for (let turn = 1; turn < turns; turn++) {
    log.push(name);
    yield;
  }
  log.push(name);
  return name;
}

describe("runInSlices", () => {
  it("returns the result of one slice synchronously", () => {
    expect(runInSlices(work("a", 1, []), createTimeSlices())).toBe("a");
  });

  it("runs one slice per round of the event loop, in the order of requests", async () => {
    const nextSlice = createTimeSlices();
    const log: string[] = [];
    const answers = ["a", "b", "c"].map((name) => runInSlices(work(name, 3, log), nextSlice));
    let isDone = false;
    const round = () => {
      log.push("|");
      if (!isDone) setImmediate(round);
    };
    setImmediate(round);
    expect(await Promise.all(answers)).toEqual(["a", "b", "c"]);
    isDone = true;
    expect(log.join("").replace(/\|+$/, "")).toBe("abca|b|c|a|b|c");
  });

  it("continues after work that throws", async () => {
    const nextSlice = createTimeSlices();
    const failing = (function* (): Generator<void, string> {
      yield;
      throw new Error("broken");
    })();
    const answers = [runInSlices(failing, nextSlice), runInSlices(work("a", 2, []), nextSlice)];
    expect(await Promise.allSettled(answers)).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }]);
    expect(await runInSlices(work("b", 2, []), nextSlice)).toBe("b");
  });
});
