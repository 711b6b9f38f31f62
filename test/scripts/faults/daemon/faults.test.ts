import { describe, expect, it } from "vitest";
import { secretsOf } from "../../../../proto/checks/secrets.js";
import type { DaemonFault } from "../../../../scripts/faults/daemon/fault.js";
import { daemonFaults } from "../../../../scripts/faults/daemon/faults.js";
import { quotes } from "../../../../scripts/faults/daemon/fetch-errors.js";
import { runDaemonBehaviour, runDaemonFault } from "../../../../scripts/faults/daemon/run-daemon-behaviour.js";
import { loadDaemonCases } from "../../../../src/daemon/daemon-contract.js";
import { brokenRules } from "../../../../src/report/model/check-result.js";
import { formatJson, toJsonReport } from "../../../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../../../src/report/model/verify-report.js";
import { createSecretFinder } from "../../../../src/secrets/find-secrets.js";
import { sampleOf } from "../../../support/thorough.js";

const { rules, cases } = await loadDaemonCases();
const findSecrets = createSecretFinder([...new Set(Object.values(secretsOf).flat())]);

/** The rules that a daemon breaks, and the RPCs that fail or that it lacks. */
function brokenIn(report: VerifyReport): string[] {
  const { rules, operations = [] } = toJsonReport(report);
  return [
    ...rules.filter(({ state }) => state === "broken" || state === "deviating"),
    ...operations.filter(({ state }) => state === "failing" || state === "not-implemented"),
  ].map(({ id }) => id);
}

function problemsIn({ checks }: VerifyReport): unknown[] {
  return checks.flatMap(({ id, outcome }) => (outcome.kind === "passed" ? [] : [{ id, outcome }]));
}

function rowsOf(faults: readonly DaemonFault[]) {
  return faults.map((fault) => [fault.name, fault.summary, fault] as const);
}

describe("the list of faults", () => {
  it("has unique names, and names only existing rules and RPCs", () => {
    const names = daemonFaults.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const known = new Set([...rules.map(({ id }) => id), ...cases.map(({ rpc }) => rpc)]);
    expect(daemonFaults.flatMap(({ breaks }) => breaks).filter((id) => !known.has(id))).toEqual([]);
  });

  it("names the rules that a caught fault breaks", () => {
    expect(daemonFaults.filter(({ missed, breaks }) => (missed === undefined) === (breaks.length === 0))).toEqual([]);
  });
});

describe.concurrent("accord verify of a daemon without a fault", () => {
  it.each(sampleOf(["grpc", "grpc-web", "connect"] as const, 3))("finds every rule kept (%s)", async (protocol) => {
    const report = await runDaemonBehaviour({ protocol }, { log: true });
    // The types that no RPC carries are shown by server reflection, which the proxy of faults does not pass on.
    const { checks } = report;
    expect(problemsIn({ ...report, checks: checks.filter(({ id }) => id !== "server reflection") })).toEqual([]);
    // The log, server reflection and each RPC have checks of their own.
    expect(report.checks).toHaveLength(cases.length + 2 + new Set(cases.map(({ rpc }) => rpc)).size);
  });
});

describe.concurrent("accord verify of a daemon with a fault", () => {
  it.each(
    rowsOf(
      sampleOf(
        daemonFaults.filter(({ missed }) => !missed),
        6,
      ),
    ),
  )("reports %s, which %s", async (_name, _summary, fault) => {
    const report = await runDaemonFault(fault);
    expect(brokenIn(report)).toEqual(expect.arrayContaining([...fault.breaks]));
    expect(findSecrets(formatJson(report))).toEqual([]);
  });
});

describe.concurrent("accord verify of a daemon with a fault that no check notices yet", () => {
  it.each(rowsOf(daemonFaults.filter(({ missed }) => missed)))(
    "reports nothing about %s, which %s",
    async (_name, _summary, fault) => {
      const report = await runDaemonFault(fault);
      expect(report.checks.filter(({ outcome }) => outcome.kind === "errored")).toEqual([]);
      expect(report.checks.filter((check) => brokenRules(check).length > 0)).toEqual([]);
      expect(brokenIn(report)).toEqual([]);
    },
  );
});

describe.concurrent("accord verify of a daemon that quotes URLs", () => {
  it.each(sampleOf(["grpc", "grpc-web", "connect"] as const, 3))(
    "reports a broken rule in every case with a secret (%s)",
    async (protocol) => {
      const behaviour = { protocol, ...quotes((url) => url) };
      const report = await runDaemonBehaviour(behaviour, { only: ["case redact-"] });
      const caught = report.checks.filter((check) => brokenRules(check).length > 0);
      const unquoted = ["case redact-canceled", "case redact-in-later-call"];
      const quoting = report.checks.map(({ id }) => id).filter((id) => !unquoted.includes(id));
      expect(caught.map(({ id }) => id)).toEqual(expect.arrayContaining(quoting));
      expect(quoting).toHaveLength(Object.keys(secretsOf).length - unquoted.length);
      expect(report.checks.filter((check) => brokenRules(check).includes("redaction.message"))).not.toEqual([]);
      expect(findSecrets(formatJson(report))).toEqual([]);
    },
  );
});
