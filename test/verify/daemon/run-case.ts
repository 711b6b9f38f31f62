import type { DaemonCase, DaemonCases } from "../../../src/contract/daemon/cases.js";
import type { CheckOutcome } from "../../../src/verify/check.js";
import { caseCheck } from "../../../src/verify/daemon/case-check.js";
import { type CallMeans, createCall } from "../../../src/verify/daemon/create-call.js";
import { createDaemonProbe } from "../../../src/verify/daemon/create-daemon-probe.js";
import { createDaemonSession } from "../../../src/verify/daemon/create-daemon-session.js";
import type { BufCurlCall } from "../../../src/verify/daemon/repeat-command.js";
import { runSteps } from "../../../src/verify/run/run-steps.js";

/** A daemon, and the contract that it should keep. */
export type CaseTarget = CallMeans & Pick<BufCurlCall, "address"> & Pick<DaemonCases, "rules" | "probes">;

/** Runs the check of a case against a daemon. */
export async function runCase(
  one: DaemonCase,
  target: CaseTarget,
  probe = createDaemonProbe(() => createCall(target), target.probes),
): Promise<CheckOutcome> {
  const session = createDaemonSession({ ...target, createCall: () => createCall(target), probe }, one);
  const { outcome } = await runSteps(caseCheck(one, target.rules), session);
  return outcome;
}
