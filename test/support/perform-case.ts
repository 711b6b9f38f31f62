import { type DaemonCase, loadDaemonCases } from "../../src/contract/rpc/cases.js";
import { earlierCalls } from "../../src/contract/rpc/evidence.js";
import type { CheckOutcome } from "../../src/verify/model/check-result.js";
import type { CallDaemon } from "../../src/verify/rpc/answer.js";
import { caseCheck } from "../../src/verify/rpc/case-check.js";
import { createDaemonSession } from "../../src/verify/rpc/create-daemon-session.js";
import type { MadeCall } from "../../src/verify/rpc/describe-exchange.js";
import { runSteps } from "../../src/verify/run/run-steps.js";

const { rules } = await loadDaemonCases();

/** The call of a case with its response, or what ended the case before. */
export interface Performance {
  readonly call?: MadeCall;
  readonly outcome: CheckOutcome;
}

/** Makes the calls of a case. */
export async function performCase(one: DaemonCase, callDaemon: CallDaemon): Promise<Performance> {
  const made: Promise<MadeCall>[] = [];
  const record: CallDaemon = (rpc, request, form) => {
    const answering = callDaemon(rpc, request, form);
    made.push(answering.then((answer) => ({ rpc, request, answer })));
    return answering;
  };
  const yes = async () => true;
  const no = async () => false;
  const target = { address: "http://127.0.0.1:1", protocol: "grpc" } as const;
  const session = createDaemonSession(
    { ...target, createCall: () => record, probe: { fetches: yes, refusesAll: no } },
    one,
  );
  const { outcome } = await runSteps(caseCheck(one, rules), session);
  const calls = earlierCalls(one);
  const beside = calls.filter(({ overlaps }) => overlaps).length;
  // An overlapping call is made before and after that of the case.
  const call = await made[calls.length];
  return made.length === calls.length + 1 + beside && call !== undefined ? { call, outcome } : { outcome };
}
