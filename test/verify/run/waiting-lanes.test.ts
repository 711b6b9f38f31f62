import { describe, expect, it } from "vitest";
import { type Runnable, runLanes } from "../../../src/verify/run/run-lanes.js";

const { signal } = new AbortController();

/** Creates lanes of one check each, of which those that wait complete once all others have. */
function createLanes(waiting: number, others: number) {
  const completed = new Set<string>();
  let [running, most] = [0, 0];
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const lane = (waits: boolean, index: number): Runnable[] => {
    const id = `${waits ? "waiting" : "other"} ${index}`;
    const run = async () => {
      if (waits) await givenUp;
      else {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
      }
      completed.add(id);
      if ([...completed].filter((one) => one.startsWith("other")).length === others) giveUp();
      return { outcome: { kind: "passed" }, isAnswered: true } as const;
    };
    return [{ id, kind: "case", operation: "one", summary: "", rules: [], waits, run }];
  };
  const lanes = [
    ...Array.from({ length: waiting }, (_, index) => lane(true, index)),
    ...Array.from({ length: others }, (_, index) => lane(false, index)),
  ];
  return { lanes, completed, most: () => most };
}

describe("runLanes with checks that wait", () => {
  it("runs as many others as usual beside them", async () => {
    const { lanes, completed, most } = createLanes(3, 9);
    await runLanes(lanes, { jobs: 2, signal, onCheck: () => {} });
    expect(completed.size).toBe(12);
    expect(most()).toBe(2);
  });

  it("runs one check at a time if asked to", async () => {
    const { lanes, completed, most } = createLanes(0, 9);
    await runLanes(lanes, { jobs: 1, signal, onCheck: () => {} });
    expect(completed.size).toBe(9);
    expect(most()).toBe(1);
  });
});
