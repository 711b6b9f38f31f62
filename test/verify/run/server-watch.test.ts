import { describe, expect, it } from "vitest";
import type { LostRequest } from "../../../src/judge/exchange.js";
import type { CheckRun } from "../../../src/verify/run/run-steps.js";
import { createServerWatch, type ServerState } from "../../../src/verify/run/server-watch.js";

const passed: CheckRun = { outcome: { kind: "passed" }, isAnswered: true };
const lost = (kind: LostRequest["kind"], operation: string): CheckRun => ({
  outcome: { kind: "errored", reason: "no answer", trace: [] },
  isAnswered: false,
  lost: { kind, request: `POST /${operation}`, operation, rules: [`${operation}.response`] },
});

/** Runs checks at the same time. Each has the results of its runs; the last one repeats. The server is in each state once, then up. */
async function run(
  checks: readonly (readonly [results: readonly CheckRun[], isRead: boolean])[],
  states: ServerState[],
) {
  const rest = [...states];
  const look = async () => rest.shift() ?? "up";
  const watch = createServerWatch({
    look,
    isDisposable: false,
    restartWaitMs: 1_000,
    signal: new AbortController().signal,
  });
  const counts = checks.map(() => 0);
  const runs = checks.map(([results, isRead], index) =>
    watch.run({
      ...{ id: `check ${index}`, calls: [`operation${index}`], isRead },
      run: async () => {
        const count = counts[index] ?? 0;
        counts[index] = count + 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return results[Math.min(count, results.length - 1)] ?? passed;
      },
    }),
  );
  const outcomes = (await Promise.all(runs)).map(({ outcome }) => outcome.kind);
  return { outcomes, counts, outages: watch.outages() };
}

describe("createServerWatch", () => {
  it.each<[string, Parameters<typeof run>[0], ServerState[], string[], number[]]>([
    ["blames the only request that was under way", [[[lost("dropped", "a")], false]], ["away"], ["failed"], [1]],
    ["blames a request that is dropped each time", [[[lost("dropped", "a")], true]], [], ["failed"], [3]],
    [
      "blames none of several requests that are dropped now and then",
      [[[lost("dropped", "a"), lost("dropped", "b")], true]],
      [],
      ["skipped"],
      [2],
    ],
    [
      "names several writes without a verdict, and sends none again",
      [
        [[lost("dropped", "a")], false],
        [[lost("dropped", "b")], false],
      ],
      ["away"],
      ["errored", "errored"],
      [1, 1],
    ],
    [
      "blames the one that ends the server again, alone",
      [
        [[lost("dropped", "a"), passed], true],
        [[lost("dropped", "b")], true],
      ],
      // The server is looked at three times after the first one ran alone.
      ["away", "up", "up", "up", "up", "up", "away"],
      ["passed", "failed"],
      [2, 2],
    ],
    [
      "repeats what the end of the server interrupted",
      [
        [[lost("dropped", "a")], false],
        [[lost("unreachable", "b"), passed], true],
      ],
      ["away"],
      ["failed", "passed"],
      [1, 2],
    ],
    [
      "says nothing of a write that found the server away",
      [
        [[lost("dropped", "a")], false],
        [[lost("unreachable", "b")], false],
      ],
      ["away"],
      ["failed", "skipped"],
      [1, 1],
    ],
    [
      "blames no closed connection that a repetition survives",
      [[[lost("dropped", "a"), passed], true]],
      [],
      ["passed"],
      [2],
    ],
    [
      "blames a hanging request once it hangs again while the server answers",
      [[[lost("timeout", "a")], true]],
      [],
      ["failed"],
      [2],
    ],
    [
      "blames no late response that a repetition survives",
      [[[lost("timeout", "a"), passed], true]],
      [],
      ["passed"],
      [2],
    ],
    [
      "blames a write that hangs at once, since it is sent once",
      [[[lost("timeout", "a")], false]],
      [],
      ["failed"],
      [1],
    ],
    [
      "repeats no write that is dropped, since it may be carried out",
      [[[lost("dropped", "a")], false]],
      [],
      ["skipped"],
      [1],
    ],
    [
      "blames an operation that drops each of its writes",
      [
        [[lost("dropped", "a")], false],
        [[lost("dropped", "a")], false],
      ],
      [],
      ["skipped", "failed"],
      [1, 1],
    ],
    ["leaves a gateway alone", [[[lost("gateway", "a")], true]], [], ["errored"], [1]],
  ])("%s", async (_, checks, states, outcomes, counts) => {
    expect(await run(checks, states)).toMatchObject({ outcomes, counts });
  });

  it.each<ServerState>(["away", "hanging", "gateway"])("gives up on a server that stays %s", async (state) => {
    const { outcomes, outages } = await run(
      [
        [[lost("dropped", "a")], true],
        [[lost("unreachable", "b")], true],
      ],
      Array<ServerState>(100).fill(state),
    );
    expect(outcomes).toEqual(["failed", "skipped"]);
    expect(outages).toEqual([{ state, at: expect.any(String), after: "POST /a" }]);
  });
});
