import type { DaemonCase } from "../../daemon/cases/daemon-case.js";
import type { Exchange } from "../check.js";
import type { Answer } from "./answer.js";
import { compareAnswer, type Problem } from "./compare-answer.js";
import { type CallMeans, createCall } from "./create-call.js";
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
  /** The daemon refused the call, which the contract leaves open; so the case shows nothing. */
  | { readonly kind: "refused"; readonly open: string; readonly trace: readonly Exchange[] }
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
 * Cases are independent and may run at the same time. Rejects only when no host can be started.
 */
export async function runDaemonCase(one: DaemonCase, target: DaemonTarget): Promise<CaseResult> {
  const { earlier, call, stopped = "", one: performed } = await performCase(one, createCall(target));
  const maskText = createReportMask(secretsToMask(one));
  const calls = call === undefined ? earlier : [...earlier, call];
  const trace = calls.map((made) => describeExchange(made, target, maskText));
  const unanswered = unansweredReason(calls.at(-1)?.answer);
  const problems = call === undefined ? [] : compareAnswer(performed, call.answer);
  if (problems.length > 0) {
    const masked = problems.map(({ rules, text }) => ({ rules, text: maskText(text) }));
    return { kind: "broken", problems: masked, trace };
  }
  if (unanswered !== undefined) return { kind: "not-run", ...unanswered, trace };
  if (call === undefined) return { kind: "not-run", reason: stopped, help: helpWithEarlierCalls, trace };
  const { open, secrets: kept = [] } = one;
  if (open !== undefined && kept.length === 0 && call.answer.kind === "error") return { kind: "refused", open, trace };
  return { kind: "kept", trace };
}

function unansweredReason(answer: Answer | undefined): { reason: string; help: string } | undefined {
  switch (answer?.kind) {
    case "unreachable":
      return { reason: `The daemon cannot be reached: ${answer.text}`, help: "Start the daemon, or check its address" };
    case "timeout":
      return { reason: `The daemon did not answer within ${answer.afterMs} ms`, help: "Allow more time for a call" };
    default:
      return undefined;
  }
}
