import { describe, expect, it } from "vitest";
import { runDaemonBehaviour } from "../../../../scripts/faults/daemon/run-daemon-behaviour.js";
import { daemonVariations } from "../../../../scripts/faults/daemon/variations.js";
import { hostOf } from "../../../../src/contract/rpc/evidence.js";
import { loadDaemonCases } from "../../../../src/daemon/daemon-contract.js";
import { brokenRules } from "../../../../src/report/model/check-result.js";
import { exitCode, toJsonReport } from "../../../../src/report/model/to-json-report.js";
import { isThorough, sampleOf } from "../../../support/thorough.js";

const { cases, rules } = await loadDaemonCases();
const recommended = new Set(rules.filter(({ strength }) => strength === "should").map(({ id }) => id));
/** Cases with these hosts take as long as the timeout of the daemon, or much of the processor. */
const slow: readonly (string | undefined)[] = ["silent", "slow", "endless"];
const quick = cases.filter((one) => !slow.includes(hostOf(one)?.kind)).map(({ name }) => `case ${name}`);
/** The variations that follow every recommendation. */
const faithful = ["slower", "more-metadata", "fetches-twice", "other-package", "other-package-over-connect"];

/** Chooses the cases of a variation: all in thorough runs, otherwise a part, and other cases for its neighbours, which are similar. */
function casesOf(name: string): readonly string[] {
  if (isThorough) return quick;
  const index = daemonVariations.findIndex((variation) => variation.name === name);
  const parts = faithful.includes(name) ? 3 : 10;
  return quick.filter((_, at) => at % parts === index % parts);
}

describe("the list of variations", () => {
  it("has unique names", () => {
    const names = daemonVariations.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.concurrent("accord verify of a daemon with a variation", () => {
  it.each(sampleOf(daemonVariations, 3).map((variation) => [variation.name, variation.summary, variation] as const))(
    "reports at most deviations of %s, which %s",
    async (name, _summary, { behaviour }) => {
      const only = casesOf(name);
      const report = await runDaemonBehaviour(behaviour, { only, log: true });
      const broken = report.checks.flatMap(brokenRules).filter((id) => !recommended.has(id));
      expect(broken).toEqual([]);
      // A case may be skipped if the daemon refuses a call that it may refuse.
      expect(report.checks.filter(({ outcome }) => outcome.kind === "errored")).toEqual([]);
      expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining([...only, "log file"]));
      expect(toJsonReport(report).rules.filter(({ state }) => state === "broken")).toEqual([]);
      // Some refusals make a run inconclusive, or leave nothing to judge; deviations do not fail it.
      const isFaithful = faithful.includes(name);
      expect(isFaithful ? [0, 3] : [0, 2, 3]).toContain(exitCode(report));
      if (isFaithful) expect(report.checks.filter((check) => brokenRules(check).length > 0)).toEqual([]);
    },
  );
});
