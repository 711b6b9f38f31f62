import type { Check } from "../../src/verify/check.js";
import { createProgress } from "../../src/verify/report/create-progress.js";
import { runAll } from "../../src/verify/run-all.js";
import type { VerifyReport } from "../../src/verify/verify-report.js";
import { daemonFaults } from "./daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "./daemon/run-daemon-behaviour.js";
import { daemonVariations } from "./daemon/variations.js";
import type { MeasuredService } from "./measured-service.js";
import type { Verdicts } from "./read-page.js";

/** The number of daemons verified concurrently. */
const concurrency = 8;

const [plain, strict] = ["accord verify", "accord verify --strict"] as const;

/** Verifies a daemon with each fault and variation that has no verdict yet. The other tools support only HTTP APIs. */
export async function measureDaemon(known: Verdicts): Promise<MeasuredService> {
  const verdicts = new Map(known);
  const isUnknown = ({ name }: { readonly name: string }) => !known.has(name);
  const progress = createProgress(process.stderr, { title: "daemon" });
  progress.plan([...daemonFaults, ...daemonVariations].filter(isUnknown).length);
  const record = (name: string, { checks }: VerifyReport) => {
    const has = (kind: Check["outcome"]["kind"]) => checks.some(({ outcome }) => outcome.kind === kind);
    verdicts.set(name, { reportedBy: has("failed") ? [plain, strict] : has("deviated") ? [strict] : [] });
    progress.done(name);
  };
  await runAll(daemonFaults.filter(isUnknown), concurrency, async (fault) => {
    record(fault.name, await runDaemonFault(fault));
  });
  await runAll(daemonVariations.filter(isUnknown), concurrency, async ({ name, behaviour }) => {
    record(name, await runDaemonBehaviour(behaviour, { log: true }));
  });
  progress.end();
  const measured = (name: string) => ({ name, ...(verdicts.get(name) ?? { reportedBy: [] }) });
  return {
    tools: [plain, strict],
    faults: daemonFaults.map(({ name, family, summary }) => ({ ...measured(name), family, summary })),
    variations: daemonVariations.map(({ name, summary }) => ({ ...measured(name), summary })),
  };
}
