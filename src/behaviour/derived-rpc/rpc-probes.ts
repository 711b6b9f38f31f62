import { type DescField, type JsonObject, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { kebab } from "../../contract/rest/resources/names.js";
import { pathsIn, splitExpressions } from "../../contract/rpc/bindings.js";
import type { EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import { impliedRuleId, type RpcMethod } from "../../contract/rpc/contract.js";
import { typeRules } from "../../contract/rpc/resources/constraints.js";
import { boundsOf, exampleFor, fillMessage, isLong } from "../../contract/rpc/resources/message-values.js";
import { readRpcName, undoneBy } from "../../contract/rpc/resources/rpc-verbs.js";
import { keptBy } from "./derive-rpc-cases.js";
import { fillRequest, type RpcContext } from "./make-rpc-thing.js";
import { rpcDerivedRule } from "./rpc-derived-rules.js";

/** The subject of the derived rules about the requests of an RPC. */
export function subjectOf(rpc: string): { readonly name: string } {
  return { name: kebab(rpc) };
}

/** A request with every field, and the calls that make what it refers to. */
interface FilledCall {
  readonly given: readonly EarlierCall[];
  readonly with: JsonObject;
}

function fillCall(context: RpcContext, one: RpcMethod, taken: EarlierCall[] = []): FilledCall {
  const { method } = one;
  const resource = context.all.find(({ create }) => create?.rpc === one.rpc);
  const of = readRpcName(method.name, method.parent.name)?.noun ?? method.name;
  const [undone] = undoneBy(method.name).flatMap(
    (name) =>
      context.contract.methods.find((other) => other.method.name === name && other.method.parent === method.parent) ??
      [],
  );
  if (undone !== undefined && !context.all.some(({ remove }) => remove?.rpc === one.rpc)) {
    const { with: values } = fillCall(context, undone, taken);
    taken.push({ id: "before", call: undone.rpc, with: values });
  }
  const values = fillRequest(context, method.input, { taken, of, ...(resource === undefined ? {} : { resource }) });
  return { given: taken, with: values as JsonObject };
}

/** The call of a case: its expressions are bound, with examples in their place. */
function asCall(one: RpcMethod, values: JsonObject): Pick<RpcCase, "rpc" | "bind" | "request"> {
  const [bound, fixed] = splitExpressions(values);
  const paths = pathsIn(bound);
  const bind = Object.fromEntries(paths.map((path) => [path.join("."), String(at(bound, path)).slice(1)]));
  const request = paths.reduce((message, path) => withValue(message, path, exampleFor(one.method.input, path)), fixed);
  return { rpc: one.rpc, request, ...(paths.length === 0 ? {} : { bind }) };
}

function at(message: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], message);
}

function withValue(message: JsonObject, [name = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  return {
    ...message,
    [name]: rest.length === 0 ? value : withValue((message[name] ?? {}) as JsonObject, rest, value),
  };
}

/** Derives the probes of an RPC: a request with every field, one with each field alone, and each value that a constraint forbids. */
export function rpcProbes(context: RpcContext, one: RpcMethod): RpcCase[] {
  const { rpc, method } = one;
  const filled = fillCall(context, one);
  const isEmpty = Object.keys(filled.with).length === 0;
  const given = filled.given.length === 0 ? {} : { given: filled.given };
  const probe = { rule: impliedRuleId(rpc), derived: { kind: "probe", depth: "normal" } } as const;
  const whole: RpcCase = {
    ...{
      ...probe,
      ...given,
      ...asCall(one, filled.with),
      name: `${rpc}/every-field`,
      summary: "Every field has a value",
    },
  };
  const alone = fieldValues(context, method.input.fields, []).map(
    ({ path, label, value, isBound }): RpcCase => ({
      ...probe,
      ...{ name: `${rpc}/${path.join("-")}-${label}`, summary: `Only ${path.join(".")} has a value: ${label}` },
      ...{ rpc, request: withValue({}, path, value) },
      derived: { kind: "probe", depth: isBound ? "thorough" : "normal" },
    }),
  );
  return [...(isEmpty ? [] : [whole]), ...alone, ...invalidRequests(context, one, filled)];
}

interface FieldValue {
  readonly path: readonly string[];
  readonly label: string;
  readonly value: JsonValue;
  /** Whether it is at a bound of its type. */
  readonly isBound?: boolean;
}

/** At most so many values of an enumeration are tried. */
const maxEnumValues = 20;

function fieldValues(context: RpcContext, fields: readonly DescField[], outer: readonly string[]): FieldValue[] {
  return fields.flatMap((field): FieldValue[] => {
    const path = [...outer, field.jsonName];
    const { constraintsOf } = context;
    const filling = { flavour: "plain", constraintsOf, valueFor: () => undefined } as const;
    const alone = fillMessage(
      { ...field.parent, fields: [{ ...field, oneof: undefined }] } as typeof field.parent,
      filling,
      outer,
    );
    const value = alone[field.jsonName] as JsonValue | undefined;
    if (field.fieldKind === "enum") {
      const named = (field.enum?.values ?? []).slice(0, maxEnumValues);
      const unknown = Math.max(...named.map(({ number }) => number)) + 1;
      return [
        ...named.map(({ name }) => ({ path, label: name.toLowerCase().replaceAll("_", "-"), value: name })),
        { path, label: "unknown-value", value: unknown, isBound: true },
      ];
    }
    const plain = value === undefined ? [] : [{ path, label: "alone", value }];
    if (field.fieldKind === "message" && field.message !== undefined && outer.length === 0) {
      const isOwn = !field.message.typeName.startsWith("google.protobuf.");
      const inner = isOwn ? fieldValues(context, field.message.fields, path) : [];
      return [{ path, label: "empty", value: {} }, ...plain, ...inner].filter(
        ({ value: one }) => isOwn || Object.keys(Object(one)).length > 0 || typeof one !== "object",
      );
    }
    if (field.fieldKind !== "scalar") return plain;
    const bounds = boundsOf(field.scalar).map((bound): FieldValue => {
      const isText = isLong(field.scalar);
      const label = bound < 0n ? "least" : bound === 0n ? "zero" : "greatest";
      return { path, label, value: isText ? String(bound) : Number(bound), isBound: true };
    });
    const texts: FieldValue[] =
      field.scalar === ScalarType.STRING ? [{ path, label: "beyond-ascii", value: "zoë 東京 🗼", isBound: true }] : [];
    return [...plain, ...bounds, ...texts];
  });
}

/**
 * Requests with a value that a constraint forbids, after the same request without it was accepted. A server that keeps nothing, such as a
 * mock, need not refuse them.
 */
function invalidRequests(context: RpcContext, one: RpcMethod, filled: FilledCall): RpcCase[] {
  const kept = keptBy(context, one);
  if (kept === undefined) return [];
  const rule = rpcDerivedRule(subjectOf(one.rpc), "refuses-invalid").id;
  const found = forbidden(context, one.method.input.fields, []);
  return found.map(({ path, label, value }): RpcCase => {
    const values = value === undefined ? withoutValue(filled.with, path) : withValue(filled.with, path, value);
    return {
      ...{
        name: `${kebab(one.rpc)}-${kebab(path.join("-"))}-${label}`,
        rule,
        derived: { kind: "workflow", depth: "normal" },
      },
      summary: `A request whose ${path.join(".")} is ${label.replaceAll("-", " ")} is refused`,
      given: [...kept, ...filled.given, { id: "valid", call: one.rpc, with: filled.with }],
      ...{ ...asCall(one, values), error: { code: "any", message: "the request is invalid" } },
    };
  });
}

function withoutValue(message: JsonObject, [name = "", ...rest]: readonly string[]): JsonObject {
  const { [name]: value, ...others } = message;
  return rest.length === 0 ? others : { ...others, [name]: withoutValue((value ?? {}) as JsonObject, rest) };
}

interface Forbidden {
  readonly path: readonly string[];
  readonly label: string;
  /** Undefined if the field must be there. */
  readonly value?: JsonValue;
}

function forbidden(context: RpcContext, fields: readonly DescField[], outer: readonly string[]): Forbidden[] {
  return fields.flatMap((field): Forbidden[] => {
    const path = [...outer, field.jsonName];
    const constraints = context.constraintsOf(field);
    const rules = typeRules(constraints);
    const missing: Forbidden[] = constraints.required === true ? [{ path, label: "missing" }] : [];
    const inner =
      field.fieldKind === "message" && outer.length === 0 ? forbidden(context, field.message?.fields ?? [], path) : [];
    const text = (label: string, value: string): Forbidden => ({ path, label, value });
    const number = (label: string, value: unknown, by: number): Forbidden[] => {
      if (value === undefined) return [];
      const is =
        field.scalar !== undefined && isLong(field.scalar)
          ? String(BigInt(String(value)) + BigInt(by))
          : Number(value) + by;
      return [{ path, label, value: is }];
    };
    const { minLen, maxLen, len, email, uuid, gt, gte, lt, lte, minItems } = rules;
    const [shortest, longest] = [Number(len ?? minLen ?? 0), Number(len ?? maxLen ?? Number.NaN)];
    const ofScalar =
      field.fieldKind !== "scalar"
        ? []
        : [
            ...(field.scalar === ScalarType.STRING && shortest > 1
              ? [text("too-short", "x".repeat(shortest - 1))]
              : []),
            ...(field.scalar === ScalarType.STRING && longest < maxTextLength
              ? [text("too-long", "x".repeat(longest + 1))]
              : []),
            ...(email === true ? [text("no-address", "nobody")] : []),
            ...(uuid === true ? [text("no-uuid", "nothing")] : []),
            ...number("too-small", gt, 0),
            ...number("too-small", gte, -1),
            ...number("too-great", lt, 0),
            ...number("too-great", lte, 1),
          ];
    const ofList: Forbidden[] =
      field.fieldKind === "list" && Number(minItems ?? 0) > 0 ? [{ path, label: "empty" }] : [];
    return [...missing, ...ofScalar, ...ofList, ...inner];
  });
}

/** Texts beyond a greater bound are not sent. */
const maxTextLength = 10_000;
