import { describe, expect, it } from "vitest";
import { runDaemonBehaviour } from "../../../../scripts/faults/daemon/run-daemon-behaviour.js";
import { daemonVariations } from "../../../../scripts/faults/daemon/variations.js";
import { loadDaemonCases } from "../../../../src/contract/daemon/cases.js";
import { exitCode } from "../../../../src/verify/report/exit-code.js";
import { judgeRules } from "../../../../src/verify/report/judge-rules.js";

const { cases } = await loadDaemonCases();
/** Cases with a silent host take as long as the timeout of the daemon. */
const quick = cases.filter(({ given }) => given?.host?.kind !== "silent").map(({ name }) => `case ${name}`);

describe("the list of variations", () => {
  it("has unique names", () => {
    const names = daemonVariations.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.concurrent("accord verify of a daemon with a variation", () => {
  it.each(daemonVariations.map((variation) => [variation.name, variation.summary, variation] as const))(
    "reports nothing about %s, which %s, unless it is marked as misjudged",
    async (_name, _summary, { behaviour, misjudged }) => {
      const report = await runDaemonBehaviour(behaviour, { only: quick, log: true });
      // A case may be skipped if the daemon refuses a call that it may refuse.
      const reported = report.checks.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "errored");
      if (misjudged) {
        expect(reported).not.toEqual([]);
        return;
      }
      expect(reported).toEqual([]);
      expect(report.checks).toHaveLength(quick.length + 1);
      // Too many such refusals make the run inconclusive, or leave nothing to judge.
      expect([0, 2, 3]).toContain(exitCode(report));
      expect(judgeRules(report).rules.filter(({ state }) => state === "broken")).toEqual([]);
    },
  );
});
