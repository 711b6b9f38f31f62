import { describe, expect, it } from "vitest";
import { type DaemonCase, loadDaemonCases } from "../../../src/contract/daemon/cases.js";
import { runCases, waitsForLimit } from "../../../src/verify/daemon/run-cases.js";

const { cases } = await loadDaemonCases();
const waiting = cases.filter(waitsForLimit);
const others = cases.filter((one) => !waitsForLimit(one)).slice(0, 9);
const { signal } = new AbortController();

/** Creates a `run` that only records its cases. Those that wait for a limit complete once all others have. */
function createRecorder() {
  const [started, completed] = [new Set<DaemonCase>(), new Set<DaemonCase>()];
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  let maxOthers = 0;
  const run = async (one: DaemonCase) => {
    started.add(one);
    const running = [...started].filter((other) => !completed.has(other) && !waitsForLimit(other));
    maxOthers = Math.max(maxOthers, running.length);
    await (waitsForLimit(one) ? givenUp : Promise.resolve());
    completed.add(one);
    if (others.every((other) => completed.has(other))) giveUp();
  };
  return { run, completed, maxOthers: () => maxOthers };
}

describe("runCases", () => {
  it("runs as many other cases as usual while some wait for a limit of the daemon", async () => {
    expect(waiting.length).toBeGreaterThan(1);
    const { run, completed, maxOthers } = createRecorder();
    await runCases([...waiting, ...others], 2, run, signal);
    expect(completed.size).toBe(waiting.length + others.length);
    expect(maxOthers()).toBe(2);
  });

  it("runs one case at a time if asked to", async () => {
    let running = 0;
    const run = async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
    };
    await runCases([...waiting, ...others], 1, run, signal);
  });
});
