import type { RpcCase } from "../../contract/rpc/cases.js";
import { emptyRequest, type RpcContract } from "../../contract/rpc/contract.js";
import { earlierCalls } from "../../contract/rpc/evidence.js";
import type { CheckToRun } from "../create-selection.js";
import type { CheckOutcome } from "../model/check-result.js";
import type { ReportedOperation } from "../model/verify-report.js";
import type { Presence } from "../run/presence.js";
import { reportedOperations } from "../run/reported-operations.js";
import { runSteps } from "../run/run-steps.js";
import { runAll } from "../run-all.js";
import type { Answer, CallRpc } from "./answer.js";
import { caseCheck, waitsForLimit } from "./case-check.js";
import { createRpcSession, type RpcTarget } from "./create-rpc-session.js";

/** Notes which RPCs a server has. */
export interface RpcPresence {
  /** Returns the same call, whose responses are noted. */
  readonly watch: (call: CallRpc) => CallRpc;
  /** Whether a call of an RPC was noted. */
  readonly isKnown: (rpc: string) => boolean;
  /** Whether all calls so far say that the server does not have an RPC. False before the first. */
  readonly lacks: (rpc: string) => boolean;
  /** What the report says of the RPCs that were called; `checks` are those of the run. */
  readonly operations: (contract: RpcContract, checks: readonly CheckToRun[]) => ReportedOperation[];
}

/** Creates the notes of a run. A server does not have an RPC if it answers all calls of it with `unimplemented`. */
export function createRpcPresence(): RpcPresence {
  const presence = new Map<string, Presence>();
  const note = (rpc: string, answer: Answer) => {
    if (presence.get(rpc)?.kind === "there") return;
    if (answer.kind === "error" && answer.code === "unimplemented")
      presence.set(rpc, { kind: "not-implemented", why: whyMissing });
    else if (answer.kind !== "unreachable" && answer.kind !== "timeout") presence.set(rpc, { kind: "there" });
    else if (!presence.has(rpc)) presence.set(rpc, { kind: "unknown" });
  };
  return {
    watch: (call) => async (rpc, request, form) => {
      const answer = await call(rpc, request, form);
      note(rpc, answer);
      return answer;
    },
    isKnown: (rpc) => presence.has(rpc),
    lacks: (rpc) => presence.get(rpc)?.kind === "not-implemented",
    operations: (contract, checks) => reportedOperations(rpcsOf(contract), presence, checks),
  };
}

/** Why an RPC counts as not implemented, and what else may be the cause. */
const whyMissing =
  "code unimplemented (--package and --service name services that have other names than in the contract)";

/** How to ask a server for its RPCs. */
export interface FindRpcsOptions {
  /** The server, whose calls are noted. */
  readonly target: RpcTarget;
  /** How many RPCs are asked for at the same time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onFound: (rpc: string, outcome: CheckOutcome, durationMs: number) => void;
}

/**
 * Finds out which RPCs a server has, each by a case that succeeds; by an empty request if an earlier call of that case fails. A server that
 * does not answer has every RPC, for the cases to judge. Ends early if the run is aborted, and rejects if that ends a call.
 */
export async function findRpcs(
  rpcs: readonly string[],
  presence: RpcPresence,
  { target, jobs, signal, onFound }: FindRpcsOptions,
): Promise<void> {
  const find = async (rpc: string) => {
    const started = performance.now();
    const success = simplestSuccess(rpc, target.contract.cases);
    const session = success && createRpcSession(target, success);
    if (success && session) await runSteps(caseCheck(success, target.contract), session);
    if (!presence.isKnown(rpc)) await target.createCall()(rpc, emptyRequest(target.contract, rpc));
    const outcome: CheckOutcome = presence.lacks(rpc)
      ? {
          ...{ kind: "failed", problems: [`not implemented: ${whyMissing}`], broken: [] },
          trace: (await session?.trace()) ?? [],
        }
      : { kind: "passed" };
    onFound(rpc, outcome, performance.now() - started);
  };
  await runAll(rpcs, jobs, find, signal);
}

/** The case of an RPC that succeeds after the fewest other calls. */
function simplestSuccess(rpc: string, cases: readonly RpcCase[]): RpcCase | undefined {
  const [first] = cases
    .filter((one) => one.rpc === rpc && one.reply !== undefined && one.secrets === undefined && !waitsForLimit(one))
    .sort((one, other) => earlierCalls(one).length - earlierCalls(other).length);
  return first;
}

/** The RPCs of a contract, each with the rules that only its cases show. */
function rpcsOf({ cases, methods }: RpcContract): Pick<ReportedOperation, "id" | "title" | "rules">[] {
  const rpcsByRule = new Map<string, Set<string>>();
  for (const { rule, also = [], rpc } of cases)
    for (const id of [rule, ...also]) rpcsByRule.set(id, new Set([...(rpcsByRule.get(id) ?? []), rpc]));
  return methods.map(({ rpc }) => ({
    ...{ id: rpc, title: rpc },
    rules: [...rpcsByRule].flatMap(([id, rpcs]) => (rpcs.size === 1 && rpcs.has(rpc) ? id : [])),
  }));
}
