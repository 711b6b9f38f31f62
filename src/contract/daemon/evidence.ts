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
import { pointerKeys } from "../json-pointer.js";
import { takesRequests } from "../served-host.js";
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
  const earlier = one.given?.calls ?? [];
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
function isControl({ as, rpc, request }: EarlierCall, one: DaemonCase, at: string, outputOf: OutputOf): boolean {
  const [field = ""] = pointerKeys(at);
  const isSource = one.bind?.[field]?.startsWith(`${as}.`) === true;
  return (
    !isSource &&
    Object.hasOwn(fullMessage(outputOf(rpc), {}), field) &&
    !isDeepStrictEqual(request[field], one.request[field])
  );
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

/** The values at a JSON pointer, in which `*` matches any element or field. */
export function valuesAt(document: unknown, at: string): unknown[] {
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

/** Whether the host of a case accepts requests. */
export function hasFetchingHost({ given }: DaemonCase): boolean {
  return given?.host !== undefined && takesRequests(given.host);
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
