import type { FaultTables } from "../../site/pages/tools/fault-tables.js";
import { createProgress } from "../../src/cli/create-progress.js";
import type { CheckResult } from "../../src/report/model/check-result.js";
import type { VerifyReport } from "../../src/report/model/verify-report.js";
import { runAll } from "../../src/verify/run-all.js";
import { daemonFaults } from "./daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "./daemon/run-daemon-behaviour.js";
import { daemonVariations } from "./daemon/variations.js";
import { completeIn, type KnownVerdicts, tableOf } from "./verdicts.js";

/** The number of daemons verified concurrently. */
const concurrency = 8;

/** Verifies a daemon with each fault and variation that has no verdict yet. The other tools support only HTTP APIs. */
export async function measureDaemon(known: KnownVerdicts): Promise<FaultTables> {
  const verdicts = completeIn(known);
  const complete = new Set(verdicts.keys());
  const isUnknown = ({ name }: { readonly name: string }) => !complete.has(name);
  const progress = createProgress(process.stderr, { title: "daemon" });
  progress.plan([...daemonFaults, ...daemonVariations].filter(isUnknown).length);
  const record = (name: string, { checks }: VerifyReport) => {
    const has = (kind: CheckResult["outcome"]["kind"]) => checks.some(({ outcome }) => outcome.kind === kind);
    const verdict = (isReported: boolean) => (isReported ? "reported" : "silent");
    verdicts.set(name, [verdict(has("failed")), verdict(has("failed") || has("deviated"))]);
    progress.done(name);
  };
  await runAll(daemonFaults.filter(isUnknown), concurrency, async (fault) => {
    record(fault.name, await runDaemonFault(fault));
  });
  await runAll(daemonVariations.filter(isUnknown), concurrency, async ({ name, behaviour }) => {
    record(name, await runDaemonBehaviour(behaviour, { log: true }));
  });
  progress.end();
  return tableOf(["accord verify", "accord verify --strict"], daemonFaults, daemonVariations, verdicts);
}
