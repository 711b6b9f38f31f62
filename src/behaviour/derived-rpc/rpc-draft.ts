import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import type { EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import type { FieldPath, RpcResource } from "../../contract/rpc/resources/find-rpc-resources.js";
import { type MadeThing, type MakingThing, makeRpcThing, type RpcContext, type SentField } from "./make-rpc-thing.js";
import type { RpcDerivedKind } from "./rpc-derived-rules.js";

/** A case that is derived, before it has an example for each value that is bound. */
export interface Draft
  extends Pick<RpcCase, "rpc" | "bind" | "request" | "expect" | "reply" | "error" | "within" | "as"> {
  readonly kind: RpcDerivedKind;
  readonly name?: string;
  readonly depth: Depth;
  readonly summary: string;
  readonly given: readonly EarlierCall[];
}

/** The resource that cases are derived for. */
export interface About {
  readonly context: RpcContext;
  readonly resource: RpcResource;
}

/** A thing that was made, with the steps that made it and show that the server keeps it. */
export type Kept = MadeThing & { readonly given: readonly EarlierCall[] };

/** Makes a thing, and shows that the server keeps it: its own value comes back. Undefined if nothing can show that. */
export function makeKept({ context, resource }: About, making: Partial<MakingThing> = {}): Kept | undefined {
  const taken = making.taken ?? [];
  const made = makeRpcThing(context, resource, { ...making, taken });
  if (made?.own === undefined) return undefined;
  const { create, read } = resource;
  if (create?.thing !== undefined) {
    const echo = expectedIn(create.thing, [made.own]);
    const step = { ...made.step, expect: echo };
    return { ...made, step, given: replaceStep(taken, step) };
  }
  if (read?.thing === undefined) return undefined;
  const kept: EarlierCall = {
    ...{ id: `kept-${made.step.id}`, call: read.rpc, with: nested(read.by, `$${made.id}`) },
    expect: expectedIn(read.thing, [made.own]),
  };
  taken.push(kept);
  return { ...made, given: [...taken] };
}

function replaceStep(steps: EarlierCall[], step: EarlierCall): EarlierCall[] {
  const index = steps.findIndex(({ id }) => id === step.id);
  steps[index] = step;
  return [...steps];
}

/** A thing without a value of its own: the run chooses its identity, or the server gives two things different ones. */
export function makeOther(about: About): Kept | undefined {
  const taken: EarlierCall[] = [];
  const { identity } = about.resource.create ?? {};
  const made = makeRpcThing(about.context, about.resource, { taken });
  if (made === undefined || identity?.in === "request") return made && { ...made, given: [...taken] };
  const at = `/${identity?.at.join("/")}` as const;
  const expect = { [at]: { not: `$${made.id}` } };
  return makeRpcThing(about.context, about.resource, { taken, id: "other", expect }) && { ...made, given: [...taken] };
}

/** What a reply must hold of what was sent. */
export function expectedIn(thing: FieldPath, sent: readonly SentField[]): Record<`/${string}`, Matcher> {
  return Object.fromEntries(sent.map(({ name, matcher }) => [`/${[...thing, name].join("/")}`, matcher]));
}

export function nested([name = "", ...rest]: FieldPath, value: JsonValue): JsonObject {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

/** The call that reads a thing. */
export function readOf(
  { resource }: About,
  made: MadeThing,
): Pick<RpcCase, "rpc" | "bind" | "request" | "within"> | undefined {
  const { read } = resource;
  if (read === undefined) return undefined;
  return { rpc: read.rpc, bind: { [read.by.join(".")]: made.id }, request: {}, within: 3 };
}

/** The identity in what is read. */
export function identityIn({ resource }: About, made: MadeThing): Record<string, Matcher> {
  const { read, key } = resource;
  return read?.thing === undefined || key === undefined
    ? {}
    : { [`/${[...read.thing, key].join("/")}`]: `$${made.id}` };
}

/** What a list is asked for: the thing by its key or own text, where the request has one, or else everything. */
export function listRequest({ resource }: About, { id, own }: MadeThing): Readonly<Record<string, string>> {
  const { list, key } = resource;
  const has = (name: string | undefined) =>
    list?.method.input.fields.some((field) => field.jsonName === name && field.fieldKind === "scalar") === true;
  if (key !== undefined && has(key)) return { [key]: id };
  return own?.matcher === "$unique.word" && has(own.name) ? { [own.name]: "unique.word" } : {};
}

export function listCall(about: About, made: MadeThing): Pick<RpcCase, "rpc" | "bind" | "request"> {
  const bind = listRequest(about, made);
  return { rpc: about.resource.list?.rpc ?? "", request: {}, ...(Object.keys(bind).length === 0 ? {} : { bind }) };
}

/** The entry of a thing in a list: its identity, with the values that were sent. */
export function entryOf({ resource }: About, { id, sent }: MadeThing): Matcher {
  const { list, thing, key } = resource;
  if (list?.key === undefined) return `$${id}`;
  const known = sent.filter(({ name }) => name !== key && thing?.fields.some(({ jsonName }) => jsonName === name));
  return { at: { [`/${list.key}`]: `$${id}`, ...(resource.read === undefined ? expectedIn([], known) : {}) } };
}
