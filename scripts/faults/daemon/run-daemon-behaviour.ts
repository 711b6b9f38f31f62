import { logCheck } from "../../../src/verify/daemon/check-log.js";
import { verifyDaemon } from "../../../src/verify/daemon/verify-daemon.js";
import type { VerifyReport } from "../../../src/verify/verify-report.js";
import type { DaemonBehaviour } from "./behaviour.js";
import type { DaemonFault } from "./fault.js";
import { startFaultyDaemon } from "./start-faulty-daemon.js";

/** What is looked at, and where. */
export interface Look {
  /** Left out: everything. */
  readonly only?: readonly string[];
  /** Searches the log as well. Defaults to false. */
  readonly log?: boolean;
}

/** Verifies a daemon with a behaviour, which is started for that alone. */
export async function runDaemonBehaviour(behaviour: DaemonBehaviour, { only, log }: Look = {}): Promise<VerifyReport> {
  const { protocol = "grpc", callTimeoutMs: timeoutMs = 30_000 } = behaviour;
  const { address, logFile, close } = await startFaultyDaemon(behaviour);
  try {
    return await verifyDaemon({
      ...{ address, protocol, timeoutMs, jobs: 8 },
      ...(only === undefined ? {} : { only: log ? [...only, logCheck.id] : only }),
      ...(log ? { logFile } : {}),
    });
  } finally {
    await close();
  }
}

/** Verifies a daemon with a fault by the checks that look at it, or by every check if none notices it yet. */
export function runDaemonFault({ behaviour, breaks, looksAt, missed }: DaemonFault): Promise<VerifyReport> {
  if (missed) return runDaemonBehaviour({ fetchTimeoutMs: 1_000, ...behaviour }, { log: true });
  return runDaemonBehaviour(behaviour, { only: looksAt, log: breaks.includes("redaction.logs") });
}
