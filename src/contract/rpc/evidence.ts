import { isDeepStrictEqual } from "node:util";
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { pointerKeys, valuesAt } from "../json-pointer.js";
import { type ServedHost, takesRequests } from "../served-host.js";
import type { DaemonCase, DaemonRule, EarlierCall, Evidence } from "./cases.js";

/** Finds the reply message of an RPC. Generation passes the descriptors of `proto/`, because generated code may be out of date. */
export type OutputOf = (rpc: DaemonCase["rpc"]) => DescMessage;

/** Finds the rules that the responses to a case can show: those with evidence in its example reply or error. */
export function findShowableRules(one: DaemonCase, rules: readonly DaemonRule[], outputOf: OutputOf): string[] {
  return namedRules(one, rules).flatMap(({ id, shown }) =>
    shown !== undefined && canShow(one, shown, outputOf) ? id : [],
  );
}

function canShow(one: DaemonCase, evidence: Evidence, outputOf: OutputOf): boolean {
  if (evidence.by === "case") return true;
  if (evidence.by === "error") return one.error !== undefined && one.secrets !== undefined;
  if (evidence.by === "log" || evidence.by === "descriptor" || one.reply === undefined) return false;
  if (evidence.by === "reply") return true;
  if (evidence.by === "fetch") return one.request.url !== undefined && hasFetchingHost(one);
  if (!("at" in evidence)) return false;
  const example = fullMessage(outputOf(one.rpc), one.reply);
  const earlier = earlierCalls(one);
  return evidence.at.every(
    (at) =>
      hasValue(example, at) && (evidence.by === "value" || earlier.some((call) => isControl(call, one, at, outputOf))),
  );
}

/** Whether the main rule of a case is a recommendation. The responses that differ from the case then break this rule. */
export function isRecommended({ rule }: DaemonCase, rules: readonly DaemonRule[]): boolean {
  return rules.some(({ id, strength }) => id === rule && strength === "should");
}

/** The rules that a case names. */
export function namedRules({ rule, also = [] }: DaemonCase, rules: readonly DaemonRule[]): DaemonRule[] {
  const named = new Set([rule, ...also]);
  return rules.filter(({ id }) => named.has(id));
}

/** Whether an earlier call sends another value of a field that its reply repeats, so that a constant reply would differ. */
function isControl({ id, call, with: request }: EarlierCall, one: DaemonCase, at: string, outputOf: OutputOf): boolean {
  const [field = ""] = pointerKeys(at);
  const source = one.bind?.[field];
  const sent = source === undefined ? one.request[field] : `$${source}`;
  const isSource = source?.startsWith(`${id}.`) === true;
  return !isSource && Object.hasOwn(fullMessage(outputOf(call), {}), field) && !isDeepStrictEqual(request[field], sent);
}

/** Whether a reply has a value other than the default at a pointer, in which `*` stands for any element or field. */
export function hasValue(reply: JsonObject, at: string): boolean {
  return valuesAt(reply, at).some(isSet);
}

/** Whether a value differs from the default of its type. */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== 0 && value !== "" && value !== false;
}

/** Whether the host of a case accepts requests. */
export function hasFetchingHost(one: DaemonCase): boolean {
  const host = hostOf(one);
  return host !== undefined && takesRequests(host);
}

/** The host of the URLs of a case. */
export function hostOf({ given = [] }: Pick<DaemonCase, "given">): ServedHost | undefined {
  return given.flatMap((step) => ("serve" in step ? step.serve : []))[0];
}

/** The calls before that of a case. */
export function earlierCalls({ given = [] }: Pick<DaemonCase, "given">): EarlierCall[] {
  return given.flatMap((step) => ("call" in step ? step : []));
}

/** A message in JSON with its default values, which ProtoJSON omits. */
export function fullMessage(schema: DescMessage, json: JsonObject): JsonObject {
  return fullJson(schema, fromJson(schema, json));
}

/** A message as JSON with its default values. */
export function fullJson(schema: DescMessage, message: Message): JsonObject {
  const json: JsonValue = toJson<DescMessage, Partial<JsonWriteOptions>>(schema, message, { alwaysEmitImplicit: true });
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
}
