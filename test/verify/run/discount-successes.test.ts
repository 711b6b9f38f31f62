import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import type { CheckOutcome, CheckResult } from "../../../src/report/model/check-result.js";
import { discountSuccesses } from "../../../src/verify/run/discount-successes.js";
import { sampleCheck } from "../../report/sample-report.js";

const { checks: written, probes } = await chatAtLevel(newestLevel);
const planned = new Map([...written, ...probes].map((one) => [one.id, one]));
const letThrough: CheckOutcome = { kind: "failed", problems: ["got 200"], letThrough: true, trace: [] };
const refused: CheckOutcome = { kind: "passed" };
const wrong: CheckOutcome = { kind: "failed", problems: ["/code: expected A, got B"], trace: [] };

/** Builds checks of cases of one operation, by name and outcome. */
function checksOf(outcomes: Readonly<Record<string, CheckOutcome>>): CheckResult[] {
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
  const checks = discountSuccesses(checksOf(outcomes), planned);
  const outcome = checks.find(({ id }) => id.endsWith(`/${name}`))?.outcome;
  return outcome?.kind === "passed" ? (outcome.shown ?? "all") : outcome?.kind;
}

describe("discountSuccesses", () => {
  it.each<[want: unknown, what: string, outcomes: Record<string, CheckOutcome>]>([
    ["all", "that refuses what it must refuse", { no_channel: refused, wrong_credentials: refused }],
    ["all", "without known refusals", {}],
    ["all", "that accepts one of several wrong requests", { no_channel: refused, unknown_channel_id: letThrough }],
    ["all", "that refuses with a wrong code", { no_channel: wrong, unknown_channel_id: wrong }],
    [[], "that accepts unknown credentials", { no_channel: refused, wrong_credentials: letThrough }],
    [[], "that accepts every wrong request", { no_channel: letThrough, unknown_channel_id: letThrough }],
  ])("counts %j of the rules that a success shows for an operation %s", (want, _, outcomes) => {
    expect(shownBy("mute_by_id", { mute_by_id: { kind: "passed" }, ...outcomes })).toEqual(want);
  });

  it("counts all rules of a refusal", () => {
    expect(shownBy("no_channel", { no_channel: refused, wrong_credentials: letThrough })).toBe("all");
  });
});
