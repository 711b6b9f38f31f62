import { type DescField, type DescMessage, type JsonObject, ScalarType } from "@bufbuild/protobuf";
import { expressionOf } from "../../contract/expressions.js";
import type { Matcher } from "../../contract/matcher.js";
import { plainName } from "../../contract/rest/resources/names.js";
import type { EarlierCall } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { type Constraints, constraintsIn, outputOnlyIn } from "../../contract/rpc/resources/constraints.js";
import { type FieldPath, findRpcResources, type RpcResource } from "../../contract/rpc/resources/find-rpc-resources.js";
import { type Flavour, fillMessage, skip } from "../../contract/rpc/resources/message-values.js";
import { isRequestId } from "../../contract/rpc/resources/request-ids.js";

/** What cases are derived from. */
export interface RpcContext {
  readonly contract: RpcContract;
  readonly all: readonly RpcResource[];
  readonly constraintsOf: (field: DescField) => Constraints;
  readonly isOutputOnly: (field: DescField) => boolean;
}

/** Finds the resources of a contract. */
export function contextOf(contract: RpcContract): RpcContext {
  const { registry, methods } = contract;
  const [constraintsOf, isOutputOnly] = [constraintsIn(registry), outputOnlyIn(registry)];
  return { contract, all: findRpcResources(methods), constraintsOf, isOutputOnly };
}

/** A field that was sent, and what must come back. */
export interface SentField {
  readonly name: string;
  readonly matcher: Matcher;
}

/** What makes a thing. */
export interface MadeThing {
  readonly step: EarlierCall;
  /** The identity, as an expression without its `$`. */
  readonly id: string;
  /** The fields of what describes the thing. */
  readonly sent: readonly SentField[];
  /** The one that no other thing has. */
  readonly own?: SentField;
}

/** How to make a thing. */
export interface MakingThing {
  /** The steps that there are already: what they made is used again. */
  readonly taken: EarlierCall[];
  readonly id?: string;
  readonly flavour?: Flavour;
  /** What follows the own word, here and in the identity. */
  readonly suffix?: string;
  /** Values of fields of what describes the thing, by name. */
  readonly override?: Readonly<Record<string, unknown>>;
  /** What the reply must have, or else the case shows nothing. */
  readonly expect?: EarlierCall["expect"];
}

/** Names of texts that nothing else refers to, the best first. */
const freeNames = [
  "title",
  "displayName",
  "name",
  "subject",
  "description",
  "text",
  "content",
  "note",
  "label",
  "comment",
  "value",
];

/** Fields that servers set themselves, whatever they are sent. */
const ownOfServers =
  /^(?:etag|uid|revision|version|generation|state|status|self_link)$|(?:^|_)(?:create|update|delete|modify|modified|expire)\w*_(?:time|at|on|by)$|(?:^|_)count$/;

const secret = /password|secret|token|passphrase|credential/i;

/** The message that describes a thing in the request that makes it. */
function bodyOf({ create }: RpcResource): DescMessage | undefined {
  const [first] = create?.body ?? [];
  const { input } = create?.method ?? {};
  return first === undefined ? input : input?.fields.find(({ jsonName }) => jsonName === first)?.message;
}

/** Makes a thing, and what it refers to. Undefined if nothing is known to make one. Adds its steps to `taken`. */
export function makeRpcThing(context: RpcContext, resource: RpcResource, making: MakingThing): MadeThing | undefined {
  const { create } = resource;
  const body = bodyOf(resource);
  if (create === undefined || body === undefined) return undefined;
  const { id = "create", taken, expect } = making;
  const filled = fillRequest(context, create.method.input, { ...making, resource, of: resource.noun });
  const { identity } = create;
  const own = ownField(context, resource, body);
  const isSent = identity.in === "request";
  if (isSent && valueAt(filled, identity.at) === undefined) return undefined;
  const described = create.body.reduce<unknown>((value, name) => Object(value)[name], filled) as JsonObject;
  const sent = body.fields.flatMap((field): SentField[] => {
    const matcher = matcherOf(context, field, described[field.jsonName]);
    return matcher === undefined ? [] : [{ name: field.jsonName, matcher }];
  });
  const step: EarlierCall = {
    ...{ id, call: create.rpc, with: filled as JsonObject },
    ...(expect === undefined ? {} : { expect }),
  };
  const found = sent.find(({ name }) => name === own?.jsonName);
  taken.push(step);
  return {
    ...{ step, sent, ...(found === undefined ? {} : { own: found }) },
    id: isSent ? (expressionOf(String(valueAt(filled, identity.at))) ?? "") : [id, ...identity.at].join("."),
  };
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

/** The text of a thing that may be any, so that one of its own is as good. */
function ownField(
  { constraintsOf, contract }: RpcContext,
  resource: RpcResource,
  body: DescMessage,
): DescField | undefined {
  const { create, key } = resource;
  const isIdentity = ({ jsonName }: DescField) =>
    jsonName === key || (create?.identity.in === "request" && jsonName === create.identity.at.at(-1));
  const texts = body.fields.filter(
    (field) =>
      field.fieldKind === "scalar" &&
      field.scalar === ScalarType.STRING &&
      !ownOfServers.test(field.name) &&
      !secret.test(field.name) &&
      !contract.isSecret(field) &&
      !/(?:^|_)(?:id|url|uri|link|type|kind|parent|code|lang|locale|currency|country)$/i.test(field.name) &&
      Object.keys(constraintsOf(field)).every((name) => name === "required") &&
      !isIdentity(field),
  );
  const named = freeNames.flatMap((name) => texts.find(({ jsonName }) => jsonName === name) ?? []);
  // What identifies it is unique, too.
  return named[0] ?? texts[0] ?? body.fields.find(isIdentity);
}

/** How to fill a request. */
export interface FillingRequest extends Omit<MakingThing, "id" | "expect"> {
  /** The resource whose things it makes. */
  readonly resource?: RpcResource;
  /** The singular of what the RPC is about, as its name says. */
  readonly of: string;
}

/** Fills a request. What its fields refer to is made before, by steps that are added to `taken`. */
export function fillRequest(context: RpcContext, input: DescMessage, filling: FillingRequest): Record<string, unknown> {
  const { resource, flavour = "plain", suffix = "", override = {} } = filling;
  const { create } = resource ?? {};
  const body = resource && bodyOf(resource);
  const own = resource && body && ownField(context, resource, body);
  const word = suffix === "" ? "$unique.word" : `{$unique.word}${suffix}`;
  const valueFor = (field: DescField, path: readonly string[], isRepeated: boolean): unknown => {
    const isDescribing =
      create !== undefined && path.length === create.body.length + 1 && path.slice(0, -1).join() === create.body.join();
    if (isDescribing && field.jsonName in override) return override[field.jsonName];
    // With the same request id, another request would do nothing.
    if (context.isOutputOnly(field) || ownOfServers.test(field.name) || isRequestId(field)) return skip;
    // A flag that is no part of the thing changes what the call does.
    const isFlag = field.scalar === ScalarType.BOOL && field.fieldKind === "scalar";
    if (resource !== undefined && isFlag && field.parent.typeName !== resource.thing?.typeName) {
      if (resource.thing?.fields.some(({ jsonName }) => jsonName === field.jsonName) !== true) return skip;
    }
    const isKey = field.jsonName === resource?.key && isDescribing;
    if (create !== undefined && create.identity.in === "request" && path.join() === create.identity.at.join())
      return isText(field) ? word : skip;
    if (isKey) return skip;
    if (isDescribing && field === own) return field.scalar === ScalarType.STRING ? word : skip;
    const referred = field.fieldKind === "scalar" && !isRepeated ? referenceOf(context, field, filling) : undefined;
    if (referred !== undefined) return referred;
    const isName = path.length === 1 && create !== undefined && !isDescribing && /(?:^|_)id$/.test(field.name);
    return isName && field.scalar === ScalarType.STRING ? word : undefined;
  };
  return fillMessage(input, { flavour, constraintsOf: context.constraintsOf, valueFor });
}

function isText({ scalar }: DescField): boolean {
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
}

/** The identity of a thing that a field names, as an expression; the thing is made or found before. */
function referenceOf(
  context: RpcContext,
  field: DescField,
  { resource, of, taken }: FillingRequest,
): string | undefined {
  const wanted = plainName(field.name);
  const found = context.all.find((one) => {
    const { read, remove, create, key, noun } = one;
    const bys = [read?.by, remove?.by, create?.identity.at].flatMap((path) => path?.at(-1) ?? []);
    const names = ["", "id", "name", ...(key === undefined ? [] : [plainName(key)])];
    const isAbout = plainName(of).startsWith(plainName(noun)) && bys.some((by) => plainName(by) === wanted);
    return one !== resource && (names.some((ending) => `${plainName(noun)}${ending}` === wanted) || isAbout);
  });
  return found && expressionFor(context, found, taken);
}

/** The identity of a thing that is made or, if nothing makes one, found. */
export function expressionFor(context: RpcContext, resource: RpcResource, taken: EarlierCall[]): string | undefined {
  const { create, list, noun } = resource;
  const id = plainName(noun);
  const made = taken.find((step) => step.id === id);
  if (create !== undefined && taken.length < 6) {
    const known = made && knownId(resource, made);
    if (known !== undefined) return `$${known}`;
    const thing = makeRpcThing(context, resource, { taken, id });
    return thing && `$${thing.id}`;
  }
  if (list === undefined) return undefined;
  // An entry that is a message without a known identity is no value of a field.
  const entry = list.method.output.fields.find(({ jsonName }) => jsonName === list.at);
  if (list.key === undefined && entry?.message !== undefined) return undefined;
  if (made === undefined) taken.push({ id, call: list.rpc, with: {} });
  return `$${id}.${list.at}.0${list.key === undefined ? "" : `.${list.key}`}`;
}

function knownId({ create }: RpcResource, { id, with: values }: EarlierCall): string | undefined {
  if (create?.identity.in === "reply") return [id, ...create.identity.at].join(".");
  return expressionOf(String(valueAt(values, create?.identity.at ?? [])));
}

/** What must come back for a value. Undefined for one that a server may write in another way. */
function matcherOf(context: RpcContext, field: DescField, value: unknown): Matcher | undefined {
  if (value === undefined || secret.test(field.name) || context.contract.isSecret(field)) return undefined;
  if (/(?:^|_)(?:url|uri|link|phone|address)s?$/i.test(field.name)) return undefined;
  const { fieldKind, message } = field;
  const inside = (one: unknown): Matcher | undefined => {
    if (
      message === undefined ||
      typeof one !== "object" ||
      one === null ||
      message.typeName.startsWith("google.protobuf.")
    ) {
      return typeof one === "object" ? { equals: one } : (one as Matcher);
    }
    const parts = message.fields.flatMap((inner): [string, Matcher][] => {
      const matcher = matcherOf(context, inner, Object(one)[inner.jsonName]);
      return matcher === undefined ? [] : [[`/${inner.jsonName}`, matcher]];
    });
    return parts.length === 0 ? undefined : { at: Object.fromEntries(parts) };
  };
  const all = (values: readonly unknown[]) => values.map(inside);
  if (fieldKind === "list") {
    const entries = all(value as readonly unknown[]);
    return entries.every((one) => one !== undefined) ? { entries } : undefined;
  }
  if (fieldKind === "map") {
    const entries = Object.entries(value as object).map(([key, one]) => [`/${key}`, inside(one)] as const);
    return entries.every(([, one]) => one !== undefined)
      ? { at: Object.fromEntries(entries) as Record<string, Matcher> }
      : undefined;
  }
  return inside(value);
}
