import { describe, expect, it } from "vitest";
import type { CheckOutcome, CheckResult } from "../../../src/report/model/check-result.js";
import { type Runnable, runLanes } from "../../../src/verify/run/run-lanes.js";
import type { CheckRun } from "../../../src/verify/run/run-steps.js";

const passed: CheckRun = { outcome: { kind: "passed" }, isAnswered: true };
const skipped: CheckRun = { outcome: { kind: "skipped", reason: "no states" }, isAnswered: true };
const unanswered: CheckRun = { outcome: { kind: "errored", reason: "no answer", trace: [] }, isAnswered: false };

function runnable(id: string, run: () => Promise<CheckRun>): Runnable {
  return { id, kind: "case", operation: "x", summary: "", rules: [], run };
}

/** Runs checks with these results one after another. Returns the outcomes. */
async function outcomesOf(runs: readonly CheckRun[]): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  const lanes = runs.map((one, index) => [runnable(String(index), async () => one)]);
  const onCheck = ({ outcome }: CheckResult) => void outcomes.push(outcome);
  await runLanes(lanes, { jobs: 1, signal: new AbortController().signal, onCheck });
  return outcomes;
}

describe("runLanes", () => {
  it("runs up to `jobs` lanes at the same time, and the checks of a lane in order", async () => {
    const events: string[] = [];
    let open = 0;
    const one = (id: string) =>
      runnable(id, async () => {
        events.push(id);
        expect(++open).toBeLessThanOrEqual(2);
        await new Promise(setImmediate);
        open--;
        return passed;
      });
    const lanes = [["a1", "a2", "a3"], ["b1", "b2"], ["c1"]].map((ids) => ids.map(one));
    const reported: string[] = [];
    const onCheck = ({ id }: CheckResult) => void reported.push(id);
    await runLanes(lanes, { jobs: 2, signal: new AbortController().signal, onCheck });
    expect([...reported].sort()).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
    expect(events.slice(0, 2)).toEqual(["a1", "b1"]);
    expect(reported.filter((id) => id.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
  });

  it.each<[string, readonly CheckRun[], isGone: boolean]>([
    ["ten checks in a row got no response", Array(10).fill(unanswered), true],
    ["only checks that were skipped are between them", Array(10).fill([unanswered, skipped]).flat(), true],
    ["only nine did", Array(9).fill(unanswered), false],
    ["a check between them got one", [...Array(9).fill(unanswered), passed, ...Array(9).fill(unanswered)], false],
  ])("takes the server for gone if %s", async (_, runs, isGone) => {
    const reason = "not sent, since 10 checks in a row got no answer";
    const outcome = { kind: "errored", reason, trace: [] };
    expect((await outcomesOf([...runs, passed])).at(-1)).toEqual(isGone ? outcome : { kind: "passed" });
  });

  it("reports nothing more once it is aborted", async () => {
    const abort = new AbortController();
    const reported: string[] = [];
    const aborting = runnable("b", async () => {
      abort.abort(new Error("enough"));
      throw abort.signal.reason;
    });
    const all = [runnable("a", async () => passed), aborting, runnable("c", async () => passed)];
    await runLanes([all, all], { jobs: 1, signal: abort.signal, onCheck: ({ id }) => void reported.push(id) });
    expect(reported).toEqual(["a"]);
  });

  it("rejects with a fault of the package", async () => {
    const faulty = runnable("a", () => Promise.reject(new TypeError("x is not a function")));
    const signal = new AbortController().signal;
    await expect(runLanes([[faulty]], { jobs: 1, signal, onCheck: () => {} })).rejects.toThrow(TypeError);
  });
});
