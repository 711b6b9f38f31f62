import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule, Evidence } from "../../contract/daemon/cases.js";
import { findShowableRules, hasFetchingHost, hasValue, namedRules, valuesAt } from "../../contract/daemon/evidence.js";
import { methodOf } from "../../contract/daemon/rpcs.js";
import type { Performance } from "./perform-case.js";

/** The rules of a case that its responses showed. */
export interface ShownRules {
  readonly shown: readonly string[];
  /** Why the others were not shown, such as `the reply has no /warnings`. Undefined if all were. */
  readonly reason?: string;
}

/** The rules that the responses of a case can show. */
export function showableRules(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  return findShowableRules(one, rules, (rpc) => methodOf(rpc).output);
}

/**
 * Finds the rules that the responses of a case showed: those for which a response contains a value that a faulty daemon could have got
 * wrong. If the daemon did not fetch the URL, its reply shows only that the RPC exists. `described` are the rules that descriptors show.
 */
export function findShownRules(
  one: DaemonCase,
  performance: Performance,
  rules: readonly DaemonRule[],
  described: ReadonlySet<string> = new Set(),
): ShownRules {
  // The case as written. The performed case also contains values of the daemon, which may be defaults.
  const showable = new Set(showableRules(one, rules));
  const judged = namedRules(one, rules)
    .filter(({ id }) => showable.has(id))
    .map(({ id, shown }) => {
      if (shown === undefined || described.has(id)) return { id, reason: undefined };
      return { id, reason: missingEvidence(shown, performance) };
    });
  const shown = judged.flatMap(({ id, reason }) => (reason === undefined ? id : []));
  const [reason] = judged.flatMap((one) => one.reason ?? []);
  return reason === undefined ? { shown } : { shown, reason };
}

/** Why the responses do not hold the evidence; undefined if they do. */
function missingEvidence(evidence: Evidence, performance: Performance): string | undefined {
  const { call, fetches, fetchesBefore } = performance;
  if (evidence.by === "descriptor") return `server reflection does not show ${evidence.symbol}`;
  if (evidence.by === "case") return noFetchReason(performance);
  if (evidence.by === "error") return call?.answer.kind === "error" ? undefined : "fetching caused no error";
  if (call?.answer.kind !== "reply") return "the call got no reply";
  const { reply } = call.answer;
  if (evidence.by === "reply") return undefined;
  if (evidence.by === "fetch") {
    return fetches.length > fetchesBefore ? undefined : "the daemon answered without fetching the URL";
  }
  const reason = noFetchReason(performance);
  if (reason !== undefined) return reason;
  return "at" in evidence ? missingValue(evidence, performance, reply) : undefined;
}

/** States that a reply has nothing to do with the URL of the request; undefined if it may. */
export function noFetchReason({ one, call, fetches }: Performance): string | undefined {
  const couldFetch = one.request.url !== undefined && hasFetchingHost(one);
  return call?.answer.kind === "reply" && couldFetch && fetches.length === 0
    ? "the daemon answered without fetching the URL"
    : undefined;
}

function missingValue(
  { by, at: pointers }: Extract<Evidence, { readonly at: readonly string[] }>,
  performance: Performance,
  reply: JsonObject,
): string | undefined {
  const [absent] = pointers.filter((at) => !hasValue(reply, at));
  if (absent !== undefined) return `the reply has no ${absent}`;
  if (by === "value") return undefined;
  const [other] = pointers.filter((at) => !isEcho(performance, reply, at));
  return other === undefined ? undefined : `${other} of the replies does not change with that of the requests`;
}

/** Whether a value of the reply equals that of the request and differs from an earlier reply, so that it is not constant. */
function isEcho({ call, earlier }: Performance, reply: JsonObject, at: string): boolean {
  if (call === undefined || !isDeepStrictEqual(valuesAt(reply, at), valuesAt(call.request, at))) return false;
  return earlier.some(
    ({ answer }) =>
      answer.kind === "reply" &&
      valuesAt(answer.reply, at).length > 0 &&
      !isDeepStrictEqual(valuesAt(answer.reply, at), valuesAt(reply, at)),
  );
}
