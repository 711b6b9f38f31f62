import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import type { DaemonBehaviour } from "./behaviour.js";
import type { DaemonFault } from "./fault.js";
import { startFaultyDaemon } from "./start-faulty-daemon.js";

/** The id of the check of the log. */
export const logCheck = "log file";

/** Restricts or extends a verification. */
export interface DaemonVerification {
  /** Defaults to all checks. */
  readonly only?: readonly string[];
  /** Searches the log as well. Defaults to false. */
  readonly log?: boolean;
}

/** Starts a daemon with a behaviour and verifies it. */
export async function runDaemonBehaviour(
  behaviour: DaemonBehaviour,
  { only, log }: DaemonVerification = {},
): Promise<VerifyReport> {
  const { protocol = "grpc", names = {}, callTimeoutMs: timeoutMs = 30_000 } = behaviour;
  const { address, logFile, close } = await startFaultyDaemon(behaviour);
  try {
    return await verifyRpc(await loadDaemonContract(), {
      ...{ address, protocol, names, timeoutMs, jobs: 8, degree: "everything" },
      only: only && log ? [...new Set([...only, logCheck])] : only,
      ...(log ? { logFile } : {}),
    });
  } finally {
    await close();
  }
}

/** Verifies a daemon with a fault by the checks of the fault. */
export function runDaemonFault({ behaviour, breaks, checkedBy }: DaemonFault): Promise<VerifyReport> {
  return runDaemonBehaviour(behaviour, {
    only: checkedBy,
    log: breaks.includes("redaction.logs") || checkedBy.includes(logCheck),
  });
}
