import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule, EarlierCall, Evidence } from "../../contract/daemon/cases.js";
import { pointerKeys } from "../../contract/json-pointer.js";
import { fullReply } from "./create-call.js";
import { takesRequests } from "./create-subscription-host.js";
import type { Performance } from "./perform-case.js";

/** Which of the rules that a case names its answers have shown. */
export interface ShownRules {
  readonly shown: readonly string[];
  /** Why the others were not, such as `the reply has no /warnings`. Undefined when all were. */
  readonly reason?: string;
}

/** The rules that the answers to a case can show: those whose evidence stands in its example of a reply or error. */
export function showableRules(one: DaemonCase, rules: readonly DaemonRule[]): string[] {
  return namedRules(one, rules).flatMap(({ id, shown }) => (shown !== undefined && canShow(one, shown) ? id : []));
}

function canShow(one: DaemonCase, evidence: Evidence): boolean {
  if (evidence.by === "error") return one.error !== undefined && one.secrets !== undefined;
  if (evidence.by === "log" || one.reply === undefined) return false;
  if (evidence.by === "reply") return true;
  if (evidence.by === "fetch") return one.request.url !== undefined && hasFetchingHost(one);
  if (!("at" in evidence)) return false;
  const example = fullReply(one.rpc, one.reply);
  const earlier = one.given?.calls ?? [];
  return evidence.at.every(
    (at) => hasValue(example, at) && (evidence.by === "value" || earlier.some((call) => isControl(call, one, at))),
  );
}

/**
 * The rules that the answers to a case have shown: of those that it can show, the ones for which an answer holds a value that could have
 * been wrong. A reply to a URL that the daemon has not fetched shows only that the RPC is there.
 */
export function findShownRules(performance: Performance, rules: readonly DaemonRule[]): ShownRules {
  const showable = new Set(showableRules(performance.one, rules));
  const judged = namedRules(performance.one, rules)
    .filter(({ id }) => showable.has(id))
    .map(({ id, shown }) => ({ id, reason: shown === undefined ? undefined : missingEvidence(shown, performance) }));
  const shown = judged.flatMap(({ id, reason }) => (reason === undefined ? id : []));
  const [reason] = judged.flatMap((one) => one.reason ?? []);
  return reason === undefined ? { shown } : { shown, reason };
}

function namedRules({ rule, also = [] }: DaemonCase, rules: readonly DaemonRule[]): DaemonRule[] {
  const named = new Set([rule, ...also]);
  return rules.filter(({ id }) => named.has(id));
}

/** Why the answers do not show what they could; undefined when they do. */
function missingEvidence(evidence: Evidence, performance: Performance): string | undefined {
  const { call, one, fetches, fetchesBefore } = performance;
  if (evidence.by === "error") return call?.answer.kind === "error" ? undefined : "fetching led to no error";
  if (call?.answer.kind !== "reply") return "the call led to no reply";
  const { reply } = call.answer;
  if (evidence.by === "reply") return undefined;
  if (evidence.by === "fetch") {
    return fetches.length > fetchesBefore ? undefined : "the daemon answered without fetching the URL";
  }
  if (one.request.url !== undefined && hasFetchingHost(one) && fetches.length === 0) {
    return "the daemon answered without fetching the URL";
  }
  return "at" in evidence ? missingValue(evidence, performance, reply) : undefined;
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
  return other === undefined ? undefined : `${other} of the replies does not follow that of the requests`;
}

/** Whether the reply to an earlier call has another value where that to the call of the case follows the request. */
function isControl({ as, rpc, request }: EarlierCall, one: DaemonCase, at: string): boolean {
  const [field = ""] = pointerKeys(at);
  const isSource = one.bind?.[field]?.startsWith(`${as}.`) === true;
  return (
    !isSource && Object.hasOwn(fullReply(rpc, {}), field) && !isDeepStrictEqual(request[field], one.request[field])
  );
}

/** Whether a value of the reply is that of the request, and an earlier reply has another: else it may be the same in every reply. */
function isEcho({ call, earlier }: Performance, reply: JsonObject, at: string): boolean {
  if (call === undefined || !isDeepStrictEqual(valuesAt(reply, at), valuesAt(call.request, at))) return false;
  return earlier.some(
    ({ answer }) =>
      answer.kind === "reply" &&
      valuesAt(answer.reply, at).length > 0 &&
      !isDeepStrictEqual(valuesAt(answer.reply, at), valuesAt(reply, at)),
  );
}

/** Whether a reply has a value other than the default at a pointer, in which `*` stands for any element or field. */
function hasValue(reply: JsonObject, at: string): boolean {
  return valuesAt(reply, at).some(isSet);
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== 0 && value !== "" && value !== false;
}

function valuesAt(document: unknown, at: string): unknown[] {
  return pointerKeys(at).reduce<unknown[]>(
    (nodes, key) =>
      nodes.flatMap((node) => {
        if (typeof node !== "object" || node === null) return [];
        if (key === "*") return Object.values(node);
        return Object.hasOwn(node, key) ? [Reflect.get(node, key)] : [];
      }),
    [document],
  );
}

function hasFetchingHost({ given }: DaemonCase): boolean {
  return given?.host !== undefined && takesRequests(given.host);
}
