import { waitsForLimit } from "../../contract/rpc/case-expectations.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { emptyRequest, methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { earlierCalls, hasUrl } from "../../contract/rpc/evidence.js";
import type { LostRequest } from "../../judge/exchange.js";
import type { CallRpc, RpcAnswer } from "../../judge/rpc/answer.js";
import { exchangeOf } from "../../judge/rpc/exchange-of.js";
import type { CheckOutcome, ReportedExchange } from "../../report/model/check-result.js";
import type { ReportedOperation } from "../../report/model/verify-report.js";
import type { Presence } from "../run/presence.js";
import { presenceOutcome } from "../run/presence-check.js";
import type { PresenceNotes, Sign } from "../run/presence-notes.js";
import { type CheckRun, runSteps } from "../run/run-steps.js";
import type { Session } from "../run/session.js";
import { runAll } from "../run-all.js";
import { idOf, rpcCaseCheck } from "./case-check.js";
import { createRpcSession, type RpcTarget } from "./create-rpc-session.js";

/** Returns the same call, whose responses are noted. */
export function watchCalls(call: CallRpc, notes: PresenceNotes): CallRpc {
  return async (rpc, request, form) => {
    const answer = await call(rpc, request, form);
    notes.note(rpc, signOf(rpc, answer, hasUrl(request)));
    return answer;
  };
}

function signOf(rpc: string, answer: RpcAnswer, mayBeAboutUrl: boolean): Sign {
  switch (answer.kind) {
    case "reply":
      return { kind: "success" };
    case "error":
      if (answer.code === "unimplemented") {
        // A server may also reject what a request names as unimplemented, such as an unsupported URL or type.
        const isWeak = mayBeAboutUrl || !isAboutRpc(rpc, answer.message);
        return { kind: "not-implemented", why: whyMissing, ...(isWeak ? { certainty: "weak" } : {}) };
      }
      return beforeAnyRpc.has(answer.code)
        ? { kind: "unknown", why: `the server refuses its calls with ${answer.code}` }
        : { kind: "there" };
    case "malformed":
    case "too-large":
      return { kind: "there" };
    case "unreachable":
    case "timeout":
      return { kind: "unknown", why: "the server gave no answer" };
  }
}

/** Whether the message of `unimplemented` names the RPC, or nothing, as those of libraries and stubs do. */
function isAboutRpc(rpc: string, message: string): boolean {
  const method = rpc.slice(rpc.lastIndexOf("/") + 1).toLowerCase();
  const words: readonly string[] = message.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  return words.includes(method) || words.every((word) => plainWords.has(word));
}

/** The words of messages such as `Method not implemented!`. */
const plainWords: ReadonlySet<string> = new Set(
  "unimplemented not yet implemented found supported unknown rpc method procedure operation service server there is no such does have this the http 404 501 status".split(
    " ",
  ),
);

/** The codes with which a server may refuse a call before it looks for the RPC. */
const beforeAnyRpc: ReadonlySet<string> = new Set(["unauthenticated", "permission_denied"]);

/** Why an RPC counts as not implemented, and what else may be the cause. */
const whyMissing =
  "code unimplemented (--package and --service name services that have other names than in the contract)";

/** How to ask a server for its RPCs. */
export interface FindRpcsOptions {
  /** The server, whose calls are noted. */
  readonly target: RpcTarget;
  /** Whether an RPC may be called. */
  readonly isAllowed: (rpc: string) => boolean;
  /** How to ask for one that may not. Resolves to undefined if that tells nothing. */
  readonly withoutActing: (rpc: string) => Promise<Presence | undefined>;
  /** Runs the calls of an RPC while it watches over the server. */
  readonly watched: (rpc: string, run: () => Promise<CheckRun>) => Promise<CheckRun>;
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
  notes: PresenceNotes,
  { target, isAllowed, withoutActing, watched, jobs, signal, onFound }: FindRpcsOptions,
): Promise<void> {
  const find = async (rpc: string) => {
    const started = performance.now();
    if (!isAllowed(rpc)) {
      const found = (await withoutActing(rpc)) ?? { kind: "unknown", isUnasked: true, isRestricted: true };
      notes.note(rpc, found);
      return onFound(rpc, presenceOutcome(found), performance.now() - started);
    }
    const success = simplestSuccess(rpc, target.contract.cases, isAllowed);
    let session: Session | undefined;
    const { outcome: survived } = await watched(rpc, async () => {
      session = success && createRpcSession(target, idOf(success));
      if (success && session) {
        const { lost } = await runSteps(rpcCaseCheck(success, target.contract), session);
        if (lost !== undefined) return runWithout(lost, await session.trace());
        if (notes.find(rpc) !== undefined) return found;
      }
      const { contract, onAnswer } = target;
      return runOfEmptyCall(rpc, contract, await target.createCall()(rpc, emptyRequest(contract, rpc)), onAnswer);
    });
    if (survived.kind !== "passed") {
      notes.note(rpc, { kind: "there" });
      return onFound(rpc, survived, performance.now() - started);
    }
    const outcome = presenceOutcome(notes.find(rpc) ?? { kind: "unknown" });
    const trace = (await session?.trace()) ?? [];
    onFound(rpc, outcome.kind === "failed" ? { ...outcome, trace } : outcome, performance.now() - started);
  };
  await runAll(rpcs, jobs, find, signal);
}

/** What the server watch is told of a call with an empty request. */
export function runOfEmptyCall(
  rpc: string,
  contract: RpcContract,
  answer: RpcAnswer,
  onAnswer: RpcTarget["onAnswer"],
): CheckRun {
  const { unusable } = exchangeOf({ rpc, method: methodOf(contract, rpc) }, answer);
  const rules = contract.rules.filter((rule) => rule.rpc === rpc && rule.broken?.malformed).map(({ id }) => id);
  if (unusable?.lost) return runWithout({ ...unusable.lost, rules }, []);
  onAnswer?.({ request: rpc, operation: rpc, rules });
  return found;
}

const found: CheckRun = { outcome: { kind: "passed" }, isAnswered: true };

/** What the server watch is told of a call without a response. That a slow server takes longer, the cases judge. */
function runWithout(lost: LostRequest, trace: readonly ReportedExchange[]): CheckRun {
  if (lost.kind === "timeout") return found;
  const reason = `a call of ${lost.request} got no response`;
  return { outcome: { kind: "errored", reason, trace }, isAnswered: false, lost };
}

/** The case of an RPC that succeeds after the fewest other calls. */
function simplestSuccess(
  rpc: string,
  cases: readonly RpcCase[],
  isAllowed: (rpc: string) => boolean,
): RpcCase | undefined {
  const [first] = cases
    .filter((one) => one.rpc === rpc && one.reply !== undefined && !waitsForLimit(one))
    .filter((one) => earlierCalls(one).every(({ call }) => isAllowed(call)))
    .sort((one, other) => earlierCalls(one).length - earlierCalls(other).length);
  return first;
}

/** The RPCs of a contract, each with the rules that only its cases show. */
export function rpcsOf({ cases, methods }: RpcContract): Pick<ReportedOperation, "id" | "title" | "rules">[] {
  const rpcsByRule = new Map<string, Set<string>>();
  for (const { rule, also = [], rpc } of cases)
    for (const id of [rule, ...also]) rpcsByRule.set(id, new Set([...(rpcsByRule.get(id) ?? []), rpc]));
  return methods.map(({ rpc }) => ({
    ...{ id: rpc, title: rpc },
    rules: [...rpcsByRule].flatMap(([id, rpcs]) => (rpcs.size === 1 && rpcs.has(rpc) ? id : [])),
  }));
}
