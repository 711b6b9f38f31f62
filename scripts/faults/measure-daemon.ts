import { runAll } from "../../src/verify/run-all.js";
import type { VerifyReport } from "../../src/verify/verify-report.js";
import { daemonFaults } from "./daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "./daemon/run-daemon-behaviour.js";
import { daemonVariations } from "./daemon/variations.js";
import type { MeasuredService } from "./measured-service.js";
import type { Verdicts } from "./read-page.js";

/** The number of daemons verified concurrently. */
const concurrency = 8;

const tool = "accord verify";

/** Verifies a daemon with each fault and variation that has no verdict yet. The other tools support only HTTP APIs. */
export async function measureDaemon(known: Verdicts): Promise<MeasuredService> {
  const reportedBy = new Map(known);
  const isUnknown = ({ name }: { readonly name: string }) => !known.has(name);
  const record = (name: string, { checks }: VerifyReport) =>
    reportedBy.set(name, checks.some(({ outcome }) => outcome.kind === "failed") ? [tool] : []);
  await runAll(daemonFaults.filter(isUnknown), concurrency, async (fault) => {
    record(fault.name, await runDaemonFault(fault));
  });
  await runAll(daemonVariations.filter(isUnknown), concurrency, async ({ name, behaviour }) => {
    record(name, await runDaemonBehaviour(behaviour, { log: true }));
  });
  const measured = (name: string) => ({ name, reportedBy: reportedBy.get(name) ?? [] });
  return {
    tools: [tool],
    faults: daemonFaults.map(({ name, family, summary }) => ({ ...measured(name), family, summary })),
    variations: daemonVariations.map(({ name, summary }) => ({ ...measured(name), summary })),
  };
}
