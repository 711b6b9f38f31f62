import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { pointerKeys } from "../json-pointer.js";
import { type ServedHost, takesRequests } from "../served-host.js";
import type { EarlierCall, Evidence, GivenState, RpcCase, RpcRule } from "./cases.js";
import { methodOf, type RpcContract } from "./contract.js";
import { fullMessage, hasValue } from "./messages.js";

/** What evidence depends on. */
export type EvidenceContract = Pick<RpcContract, "rules" | "methods" | "registry">;

/** Finds the rules that the responses to a case can show: those with evidence in its example reply or error. */
export function findShowableRules(one: RpcCase, contract: EvidenceContract): string[] {
  return namedRules(one, contract.rules).flatMap(({ id, shown = byCase }) => (canShow(one, shown, contract) ? id : []));
}

/** The evidence of a rule that states none. */
export const byCase: Evidence = { by: "case" };

function canShow(one: RpcCase, evidence: Evidence, contract: EvidenceContract): boolean {
  if (evidence.by === "case" || evidence.by === "response") return true;
  if (evidence.by === "check" || evidence.by === "descriptor" || one.reply === undefined) return false;
  if (evidence.by === "reply") return true;
  if (evidence.by === "fetch") return hasUrl(one.request) && hasFetchingHost(one);
  if (!("at" in evidence)) return false;
  const { output } = methodOf(contract, one.rpc);
  const example = fullMessage(output, one.reply, contract.registry);
  const earlier = earlierCalls(one);
  return evidence.at.every(
    (at) =>
      hasValue(output, example, at) &&
      (evidence.by === "value" || earlier.some((call) => isControl(call, one, at, contract))),
  );
}

/** Whether a field of a request is a URL, of any scheme. */
export function hasUrl(request: JsonObject): boolean {
  return Object.values(request).some((value) => typeof value === "string" && /^[a-z][a-z\d+.-]*:/i.test(value));
}

/** Whether the main rule of a case is a recommendation. The responses that differ from the case then break this rule. */
export function isRecommended({ rule }: RpcCase, rules: readonly RpcRule[]): boolean {
  return rules.some(({ id, strength }) => id === rule && strength === "should");
}

/** The rules that a case names. */
export function namedRules({ rule, also = [] }: RpcCase, rules: readonly RpcRule[]): RpcRule[] {
  const named = new Set([rule, ...also]);
  return rules.filter(({ id }) => named.has(id));
}

/** Whether an earlier call sends another value of a field that its reply repeats, so that a constant reply would differ. */
function isControl(
  { id, call, with: request }: EarlierCall,
  one: RpcCase,
  at: string,
  contract: EvidenceContract,
): boolean {
  const [field = ""] = pointerKeys(at);
  const source = one.bind?.[field];
  const sent = source === undefined ? one.request[field] : `$${source}`;
  const isSource = source?.startsWith(`${id}.`) === true;
  const isRepeated = methodOf(contract, call).output.fields.some(({ jsonName }) => jsonName === field);
  return !isSource && isRepeated && !isDeepStrictEqual(request[field], sent);
}

/** Whether the host of a case accepts requests. */
export function hasFetchingHost(one: RpcCase): boolean {
  const host = hostOf(one);
  return host !== undefined && takesRequests(host);
}

/** The host of the URLs of a case. */
export function hostOf({ given = [] }: Pick<RpcCase, "given">): ServedHost | undefined {
  return given.flatMap((step) => ("serve" in step ? step.serve : []))[0];
}

/** The provider states of a case. */
export function givenStates({ given = [] }: Pick<RpcCase, "given">): GivenState[] {
  return given.flatMap((step) => ("state" in step ? step : []));
}

/** The calls before that of a case. */
export function earlierCalls({ given = [] }: Pick<RpcCase, "given">): EarlierCall[] {
  return given.flatMap((step) => ("call" in step ? step : []));
}

/** Whether a case needs an earlier call to succeed. */
export function mustSucceed({ expect }: EarlierCall): boolean {
  return (expect?.status ?? "ok") === "ok";
}
