import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { idOf, rpcCaseCheck } from "../../../src/verify/rpc/case-check.js";
import { type CallMeans, createCall } from "../../../src/verify/rpc/create-call.js";
import { createRpcSession } from "../../../src/verify/rpc/create-rpc-session.js";
import { createServerProbe } from "../../../src/verify/rpc/create-server-probe.js";
import { rpcChecksOf } from "../../../src/verify/rpc/rpc-code-checks.js";
import { runRpcCode } from "../../../src/verify/rpc/run-rpc-code.js";
import { createCodeGuard } from "../../../src/verify/run/code-guard.js";
import { runSteps } from "../../../src/verify/run/run-steps.js";

/** A daemon, and the contract that it should keep. */
export type CaseTarget = CallMeans & { readonly address: string };

/** Runs the check of a case, which may be in code, against a daemon. */
export async function runCase(
  one: RpcCase,
  target: CaseTarget,
  probe = createServerProbe(() => createCall(target), target.contract),
): Promise<CheckOutcome> {
  const server = { ...target, createCall: () => createCall(target), probe };
  const inCode = (await rpcChecksOf(target.contract)).find(({ id }) => id === idOf(one));
  if (inCode === undefined)
    return (await runSteps(rpcCaseCheck(one, target.contract), createRpcSession(server, idOf(one)))).outcome;
  const guard = createCodeGuard(60_000);
  const { signal } = new AbortController();
  try {
    return (await runRpcCode(inCode, { target: server, guard, signal, selected: new Set() })).outcome;
  } finally {
    guard.close();
  }
}
