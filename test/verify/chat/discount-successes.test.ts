import { describe, expect, it } from "vitest";
import { loadCases } from "../../../src/contract/chat/cases.js";
import { discountSuccesses } from "../../../src/verify/chat/judge/discount-successes.js";
import type { Check, CheckOutcome } from "../../../src/verify/check.js";
import { sampleCheck } from "../report/sample-report.js";

const cases = await loadCases();
const letThrough: CheckOutcome = { kind: "failed", problems: ["got 200"], letThrough: true, trace: [] };
const refused: CheckOutcome = { kind: "passed" };
const wrong: CheckOutcome = { kind: "failed", problems: ["/code: expected A, got B"], trace: [] };

/** The checks of cases of one operation, each with what came of it. */
function checksOf(outcomes: Readonly<Record<string, CheckOutcome>>): Check[] {
  return Object.entries(outcomes).map(([name, outcome]) =>
    sampleCheck({
      id: `case updateMutedTopic/${name}`,
      operation: "updateMutedTopic",
      rules: ["topics.mute.x"],
      outcome,
    }),
  );
}

function shownBy(name: string, outcomes: Readonly<Record<string, CheckOutcome>>): unknown {
  const checks = discountSuccesses(checksOf(outcomes), { cases, workflows: [], probes: [] });
  const outcome = checks.find(({ id }) => id.endsWith(`/${name}`))?.outcome;
  return outcome?.kind === "passed" ? (outcome.shown ?? "all") : outcome?.kind;
}

describe("discountSuccesses", () => {
  it.each<[want: unknown, what: string, outcomes: Record<string, CheckOutcome>]>([
    ["all", "that refuses what it has to refuse", { no_channel: refused, wrong_credentials: refused }],
    ["all", "of which no refusal is known", {}],
    ["all", "that lets one wrong request of several through", { no_channel: refused, unknown_channel_id: letThrough }],
    ["all", "that refuses with a wrong code", { no_channel: wrong, unknown_channel_id: wrong }],
    [[], "that lets a stranger through", { no_channel: refused, wrong_credentials: letThrough }],
    [[], "that lets every wrong request through", { no_channel: letThrough, unknown_channel_id: letThrough }],
  ])("gives a success %j of its rules in an operation %s", (want, _, outcomes) => {
    expect(shownBy("mute_by_id", { mute_by_id: { kind: "passed" }, ...outcomes })).toEqual(want);
  });

  it("leaves a refusal its rules", () => {
    expect(shownBy("no_channel", { no_channel: refused, wrong_credentials: letThrough })).toBe("all");
  });
});
