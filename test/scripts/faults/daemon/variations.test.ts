import { describe, expect, it } from "vitest";
import { runDaemonBehaviour } from "../../../../scripts/faults/daemon/run-daemon-behaviour.js";
import { daemonVariations } from "../../../../scripts/faults/daemon/variations.js";
import { loadDaemonCases } from "../../../../src/contract/daemon/cases.js";
import { exitCode } from "../../../../src/verify/report/exit-code.js";
import { judgeRules } from "../../../../src/verify/report/judge-rules.js";

const { cases } = await loadDaemonCases();
/** Waiting for the silent host takes all the time that a daemon gives it. */
const quick = cases.filter(({ given }) => given?.host?.kind !== "silent").map(({ name }) => `case ${name}`);

describe("the list of variations", () => {
  it("has a name of its own for each", () => {
    const names = daemonVariations.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.concurrent("a daemon that keeps the contract in another way", () => {
  it.each(daemonVariations.map((variation) => [variation.name, variation.summary, variation] as const))(
    "is not reported, unless marked as misjudged: %s, which %s",
    async (_name, _summary, { behaviour, misjudged }) => {
      const report = await runDaemonBehaviour(behaviour, { only: quick, log: true });
      // A call that it may refuse shows nothing when it does.
      const reported = report.checks.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "errored");
      if (misjudged) {
        expect(reported).not.toEqual([]);
        return;
      }
      expect(reported).toEqual([]);
      expect(report.checks).toHaveLength(quick.length + 1);
      // One that refuses what it may refuse shows too little for a verdict, or nothing at all.
      expect([0, 2, 3]).toContain(exitCode(report));
      expect(judgeRules(report).rules.filter(({ state }) => state === "broken")).toEqual([]);
    },
  );
});
