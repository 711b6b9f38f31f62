import type { RpcCase } from "../../src/contract/rpc/cases.js";
import { earlierCalls } from "../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../src/daemon/daemon-contract.js";
import type { CallRpc } from "../../src/judge/rpc/answer.js";
import type { MadeCall } from "../../src/judge/rpc/describe-call.js";
import type { CheckOutcome } from "../../src/report/model/check-result.js";
import { idOf, rpcCaseCheck } from "../../src/verify/rpc/case-check.js";
import { createRpcSession } from "../../src/verify/rpc/create-rpc-session.js";
import { runSteps } from "../../src/verify/run/run-steps.js";

const contract = await loadDaemonContract();

/** The call of a case with its response, or what ended the case before. */
export interface Performance {
  readonly call?: MadeCall;
  readonly outcome: CheckOutcome;
}

/** Makes the calls of a case. */
export async function performCase(one: RpcCase, callRpc: CallRpc): Promise<Performance> {
  const made: Promise<MadeCall>[] = [];
  const record: CallRpc = (rpc, request, form) => {
    const answering = callRpc(rpc, request, form);
    made.push(answering.then((answer) => ({ rpc, request, answer })));
    return answering;
  };
  const yes = async () => true;
  const no = async () => false;
  const target = { contract, address: "http://127.0.0.1:1", protocol: "grpc" } as const;
  const session = createRpcSession(
    { ...target, createCall: () => record, probe: { fetches: yes, refusesAll: no } },
    idOf(one),
  );
  const { outcome } = await runSteps(rpcCaseCheck(one, contract), session);
  const calls = earlierCalls(one);
  const beside = calls.filter(({ overlaps }) => overlaps).length;
  // An overlapping call is made before and after that of the case.
  const call = await made[calls.length];
  return made.length === calls.length + 1 + beside && call !== undefined ? { call, outcome } : { outcome };
}
