import type { DaemonCase, DaemonProbes, DaemonRule } from "../../contract/daemon/cases.js";
import { takesRequests } from "../../contract/daemon/evidence.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import type { Exchange } from "../check.js";
import { excerpt } from "../excerpt.js";
import { createMask } from "../mask.js";
import type { Problem } from "./answer.js";
import { compareAnswer } from "./compare-answer.js";
import { type CallMeans, createCall } from "./create-call.js";
import { createDaemonProbe, type DaemonProbe } from "./create-daemon-probe.js";
import { describeExchange } from "./describe-exchange.js";
import { findShownRules, noFetchReason, type ShownRules, showableRules } from "./find-shown-rules.js";
import { type DescribeType, judgeDescriptors } from "./judge-descriptors.js";
import { type MadeCall, type Performance, performCase } from "./perform-case.js";
import { secretsToMask } from "./report-mask.js";

/** The daemon to verify. */
export interface DaemonTarget extends CallMeans {
  /** The address of the daemon, for the commands in traces. */
  readonly address: string;
  /** The names of its services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
  /** The rules of the contract, with the evidence that shows them and the responses that break them. */
  readonly rules: readonly DaemonRule[];
  /** Asks server reflection. If undefined, the rules about descriptors are not shown. */
  readonly describe?: DescribeType;
  /** The RPCs to call besides the cases. */
  readonly probes: DaemonProbes;
}

/** The result of a case, with secrets masked. */
export type CaseResult =
  | ({ readonly kind: "kept"; readonly trace: readonly Exchange[] } & ShownRules)
  /** The daemon breaks the contract. */
  | { readonly kind: "broken"; readonly problems: readonly Problem[]; readonly trace: readonly Exchange[] }
  /** The responses are valid but show nothing, for example an error that has nothing to do with the case. */
  | { readonly kind: "skipped"; readonly reason: string; readonly trace: readonly Exchange[] }
  /** Whether the daemon keeps the rules of the case is unknown. */
  | {
      readonly kind: "not-run";
      readonly reason: string;
      /** What to do about it. */
      readonly help?: string;
      readonly trace: readonly Exchange[];
    };

/** Maximum length of a problem, which may quote the response. */
const maxProblemLength = 1000;

const notFetching =
  "the daemon does not fetch from http://127.0.0.1, where the subscriptions of the cases are served. Allow it to";

/**
 * Runs a case against a daemon: serves the host of its URLs on a port of the loopback interface, makes the calls, and compares the
 * response with the contract.
 *
 * Cases are independent and may run concurrently; a shared probe calls the daemon once for all of them. Rejects only if the host cannot
 * start, or when the signal of the target is aborted.
 */
export async function runDaemonCase(
  one: DaemonCase,
  target: DaemonTarget,
  probe: DaemonProbe = createDaemonProbe(() => createCall(target), target.probes),
): Promise<CaseResult> {
  const performance = await performCase(one, createCall(target));
  const { earlier, call, one: performed, replies, fetches, fetchesBefore } = performance;
  const maskText = createMask(secretsToMask(one));
  const calls = call === undefined ? earlier : [...earlier, call];
  const trace = calls.map((made) => describeExchange(one, made, target, maskText));
  const { rules } = target;
  const context = { rules, replies, fetches: fetches.slice(fetchesBefore) };
  const described = await judgeDescriptors(one, rules, target.describe);
  const answered = call === undefined ? [] : compareAnswer(performed, call.answer, context);
  const problems = [...answered, ...described.problems];
  // A response that the daemon gives to every case shows no deviation from a recommendation.
  const isDeviation = problems.every((problem) => problem.rules.every((id) => isRecommendation(id, rules)));
  const excuse =
    problems.length > 0 && isDeviation && one.secrets === undefined
      ? (noFetchReason(performance) ?? (await skipReason(one, performance, probe)))
      : undefined;
  if (problems.length > 0 && excuse === undefined) {
    const masked = problems.map(({ rules, text }) => ({ rules, text: excerpt(text, maxProblemLength, maskText) }));
    return { kind: "broken", problems: masked, trace };
  }
  const unanswered = unansweredReason(calls.at(-1));
  if (unanswered !== undefined) return { kind: "not-run", ...unanswered, trace };
  const reason = excuse ?? (await skipReason(one, performance, probe));
  if (reason !== undefined) return { kind: "skipped", reason, trace };
  const shown = findShownRules(one, performance, rules, described.shown);
  const showsNothing = shown.reason !== undefined && shown.shown.length === 0 && showableRules(one, rules).length > 0;
  return showsNothing ? { kind: "skipped", reason: shown.reason, trace } : { kind: "kept", ...shown, trace };
}

/**
 * Why valid responses show nothing; undefined if they show something. A daemon that did not use the URL has no secret to
 * show, so a case with secrets counts only if the daemon fetched. If the host of the case accepts no request, it is
 * enough that the daemon fetches at all.
 */
async function skipReason(
  one: DaemonCase,
  { earlier, call, missing, succeeded, fetches }: Performance,
  probe: DaemonProbe,
): Promise<string | undefined> {
  if (missing !== undefined) return `the earlier replies have no ${missing}, which the contract leaves open`;
  const { request, answer } = call ?? earlier.at(-1) ?? {};
  const isError = answer?.kind === "error";
  if (isError && answer.code === "unimplemented") {
    return call === undefined
      ? "the daemon does not have the RPC of an earlier call"
      : "the daemon does not have the RPC";
  }
  const host = one.given?.host;
  const isSecretive = one.secrets !== undefined && one.secrets.length > 0;
  const couldFetch = request?.url !== undefined && host !== undefined && takesRequests(host);
  const isInQuestion = isSecretive || (isError && couldFetch);
  const didFetch = fetches.length > 0;
  if (isInQuestion && !didFetch && !(await probe.fetches())) return notFetching;
  if (isSecretive && couldFetch && !didFetch) return "the daemon answered without fetching the URL";
  if (succeeded !== undefined) return `the daemon did not refuse the earlier call ${succeeded}`;
  if (!isError || isSecretive) return undefined;
  // The contract does not guarantee that the earlier calls succeed.
  if (call === undefined) return "the daemon refused an earlier call, which the contract leaves open";
  if (one.open !== undefined) return "the daemon refused the call, which the contract leaves open";
  return (await probe.refusesAll()) ? "the daemon refuses every call" : undefined;
}

function isRecommendation(id: string, rules: readonly DaemonRule[]): boolean {
  return rules.some((rule) => rule.id === id && rule.strength === "should");
}

function unansweredReason(last: MadeCall | undefined): { reason: string; help?: string } | undefined {
  const answer = last?.answer;
  switch (answer?.kind) {
    case "unreachable":
      return { reason: `The daemon cannot be reached: ${answer.text}`, help: answer.help };
    case "timeout": {
      const help = "Allow more time for a case with --timeout";
      return { reason: `The daemon did not answer within ${answer.afterMs} ms`, help };
    }
    case "malformed":
      // A malformed response to the call of the case itself is a problem.
      return { reason: `An earlier call, of ${last?.rpc}, got no answer of the RPC protocol` };
    default:
      return undefined;
  }
}
