import type { DaemonCase } from "../../daemon/cases/daemon-case.js";
import type { Exchange } from "../check.js";
import type { Answer } from "./answer.js";
import { compareAnswer, type Problem } from "./compare-answer.js";
import { type CallMeans, createCall } from "./create-call.js";
import { createFetchProbe, type FetchProbe } from "./create-fetch-probe.js";
import { takesRequests } from "./create-subscription-host.js";
import { describeExchange } from "./describe-exchange.js";
import { performCase } from "./perform-case.js";
import { createReportMask, secretsToMask } from "./report-mask.js";

/** The daemon that is verified. */
export interface DaemonTarget extends CallMeans {
  /** The address of the client, for the command lines in traces. */
  readonly address: string;
}

/** What came of a case. No secret stands in any of it. */
export type CaseResult =
  | { readonly kind: "kept"; readonly trace: readonly Exchange[] }
  /** The daemon breaks the contract. */
  | { readonly kind: "broken"; readonly problems: readonly Problem[]; readonly trace: readonly Exchange[] }
  /** The answer is right and shows nothing, such as an error about something else than the case is about. */
  | { readonly kind: "left-out"; readonly reason: string; readonly trace: readonly Exchange[] }
  /** It is not known whether the daemon keeps the case, which is no failure of its rules. */
  | {
      readonly kind: "not-run";
      readonly reason: string;
      /** What to do about it. */
      readonly help?: string;
      readonly trace: readonly Exchange[];
    };

const helpWithEarlierCalls =
  "The daemon must be able to fetch subscriptions from 127.0.0.1 and understand the one of this case";

/**
 * Runs a case against a daemon: serves what the host of its URLs answers on a port of the loopback interface, makes the earlier
 * calls, makes the call, and compares what came with what the contract fixes.
 *
 * Cases are independent and may run at the same time; when they share a probe, it is asked once for all of them. Rejects only when no
 * host can be started.
 */
export async function runDaemonCase(
  one: DaemonCase,
  target: DaemonTarget,
  probe: FetchProbe = createFetchProbe(createCall(target)),
): Promise<CaseResult> {
  const { earlier, call, stopped = "", one: performed, fetches } = await performCase(one, createCall(target));
  const maskText = createReportMask(secretsToMask(one));
  const calls = call === undefined ? earlier : [...earlier, call];
  const trace = calls.map((made) => describeExchange(one, made, target, maskText));
  const unanswered = unansweredReason(calls.at(-1)?.answer);
  const problems = call === undefined ? [] : compareAnswer(performed, call.answer);
  if (problems.length > 0) {
    const masked = problems.map(({ rules, text }) => ({ rules, text: maskText(text) }));
    return { kind: "broken", problems: masked, trace };
  }
  if (unanswered !== undefined) return { kind: "not-run", ...unanswered, trace };
  if (call === undefined) return { kind: "not-run", reason: stopped, help: helpWithEarlierCalls, trace };
  const reason = await leftOutReason(one, call.answer, { didFetch: fetches.length > 0, probe });
  return reason === undefined ? { kind: "kept", trace } : { kind: "left-out", reason, trace };
}

/**
 * Why an answer shows nothing although nothing is wrong with it. A daemon that has never looked at the URL has no secret to show, so
 * a case with secrets counts only when the daemon fetched; one whose host takes no request, when it does fetch otherwise.
 */
async function leftOutReason(
  { given, open, request, secrets = [] }: DaemonCase,
  answer: Answer,
  { didFetch, probe }: { readonly didFetch: boolean; readonly probe: FetchProbe },
): Promise<string | undefined> {
  const isError = answer.kind === "error";
  if (isError && answer.code === "unimplemented") return "the daemon does not have the RPC";
  const isSecretive = secrets.length > 0;
  const couldFetch = request.url !== undefined && given?.host !== undefined && takesRequests(given.host);
  const isInQuestion = isSecretive || (isError && couldFetch);
  if (isInQuestion && !didFetch && !(await probe())) {
    return "the daemon does not fetch from 127.0.0.1, where the subscriptions of the cases are served. Allow it to";
  }
  if (isSecretive && couldFetch && !didFetch) return "the daemon answered without fetching the URL";
  return isError && !isSecretive && open !== undefined
    ? "the daemon refused the call, which the contract leaves open"
    : undefined;
}

function unansweredReason(answer: Answer | undefined): { reason: string; help: string } | undefined {
  switch (answer?.kind) {
    case "unreachable":
      return { reason: `The daemon cannot be reached: ${answer.text}`, help: answer.help };
    case "timeout": {
      const help = "Allow more time for a case with --timeout";
      return { reason: `The daemon did not answer within ${answer.afterMs} ms`, help };
    }
    default:
      return undefined;
  }
}
