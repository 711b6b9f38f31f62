import { runAll } from "../../src/verify/run-all.js";
import type { VerifyReport } from "../../src/verify/verify-report.js";
import { daemonFaults } from "../../test/faults/daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "../../test/faults/daemon/run-daemon-behaviour.js";
import { daemonVariations } from "../../test/faults/daemon/variations.js";
import type { MeasuredService } from "./measured-service.js";
import type { Verdicts } from "./read-page.js";

/** How many daemons are verified at the same time. */
const together = 8;

const tool = "accord verify";

/** Verifies a daemon with each fault and variation that is not known yet. No other tool can: they know HTTP APIs alone. */
export async function measureDaemon(known: Verdicts): Promise<MeasuredService> {
  const reportedBy = new Map(known);
  const isUnknown = ({ name }: { readonly name: string }) => !known.has(name);
  const note = (name: string, { checks }: VerifyReport) =>
    reportedBy.set(name, checks.some(({ outcome }) => outcome.kind === "failed") ? [tool] : []);
  await runAll(daemonFaults.filter(isUnknown), together, async (fault) => {
    note(fault.name, await runDaemonFault(fault));
  });
  await runAll(daemonVariations.filter(isUnknown), together, async ({ name, behaviour }) => {
    note(name, await runDaemonBehaviour(behaviour, { log: true }));
  });
  const measured = (name: string) => ({ name, reportedBy: reportedBy.get(name) ?? [] });
  return {
    tools: [tool],
    faults: daemonFaults.map(({ name, family, summary }) => ({ ...measured(name), family, summary })),
    variations: daemonVariations.map(({ name, summary }) => ({ ...measured(name), summary })),
  };
}
