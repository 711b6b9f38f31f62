import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { caseCheck } from "../../../src/verify/rpc/case-check.js";
import { type CallMeans, createCall } from "../../../src/verify/rpc/create-call.js";
import { createRpcSession } from "../../../src/verify/rpc/create-rpc-session.js";
import { createServerProbe } from "../../../src/verify/rpc/create-server-probe.js";
import { runSteps } from "../../../src/verify/run/run-steps.js";

/** A daemon, and the contract that it should keep. */
export type CaseTarget = CallMeans & { readonly address: string };

/** Runs the check of a case against a daemon. */
export async function runCase(
  one: RpcCase,
  target: CaseTarget,
  probe = createServerProbe(() => createCall(target), target.contract),
): Promise<CheckOutcome> {
  const session = createRpcSession({ ...target, createCall: () => createCall(target), probe }, one);
  const { outcome } = await runSteps(caseCheck(one, target.contract), session);
  return outcome;
}
