import type { DaemonCase, DaemonCases } from "../../../src/contract/rpc/cases.js";
import type { CheckOutcome } from "../../../src/verify/model/check-result.js";
import { caseCheck } from "../../../src/verify/rpc/case-check.js";
import { type CallMeans, createCall } from "../../../src/verify/rpc/create-call.js";
import { createDaemonProbe } from "../../../src/verify/rpc/create-daemon-probe.js";
import { createDaemonSession } from "../../../src/verify/rpc/create-daemon-session.js";
import type { BufCurlCall } from "../../../src/verify/rpc/repeat-command.js";
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
