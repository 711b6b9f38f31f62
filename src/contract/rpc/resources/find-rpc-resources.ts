import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { kebab, memberFor, plainName } from "../../rest/resources/names.js";
import type { RpcMethod } from "../contract.js";
import { type RpcVerb, readRpcName } from "./rpc-verbs.js";

/** A path of JSON names from a message to a value in it; empty for the message itself. */
export type FieldPath = readonly string[];

/** Where the identity of a new thing is: in the reply, or in what was sent. */
export interface RpcIdentity {
  readonly in: "reply" | "request";
  readonly at: FieldPath;
}

/** Things of one kind, with the RPCs that make, read, list, change and remove them. */
export interface RpcResource {
  /** The name in rules and cases, such as `books`. */
  readonly name: string;
  /** A singular, as the RPCs name it. */
  readonly noun: string;
  /** The message that describes one. Undefined if no reply does. */
  readonly thing?: DescMessage;
  /** The field of `thing` that identifies one. */
  readonly key?: string;
  /** `body` leads to what describes the thing in the request, `thing` in the reply. */
  readonly create?: RpcMethod & {
    readonly identity: RpcIdentity;
    readonly body: FieldPath;
    readonly thing?: FieldPath;
  };
  /** `by` leads to the identity in the request. */
  readonly read?: RpcMethod & { readonly by: FieldPath; readonly thing?: FieldPath };
  /** `key` is undefined if entries are identities themselves. */
  readonly list?: RpcMethod & { readonly at: string; readonly key?: string };
  readonly update?: RpcMethod & { readonly by: FieldPath; readonly body: FieldPath; readonly mask?: string };
  readonly remove?: RpcMethod & { readonly by: FieldPath };
  /** Why these belong together, a sentence each. */
  readonly reasons: readonly string[];
}

/** Finds the resources of a contract, by the names of its RPCs and fields. */
export function findRpcResources(methods: readonly RpcMethod[]): RpcResource[] {
  const groups = new Map<string, { readonly noun: string; readonly found: Partial<Record<RpcVerb, RpcMethod>> }>();
  for (const one of methods) {
    const service = one.method.parent;
    const named = readRpcName(one.method.name, service.name);
    if (named === undefined) continue;
    const key = `${service.typeName} ${plainName(named.noun)}`;
    const { found } = groups.get(key) ?? { found: {} };
    // Of several, such as `ListBooks` and `SearchBooks`, the first in the file.
    groups.set(key, { noun: named.noun, found: { [named.verb]: one, ...found } });
  }
  const resources = [...groups.values()].flatMap(({ noun, found }) => readResource(noun, found) ?? []);
  return resources.map((resource, index) => {
    // A service may be named after what it holds: `Images`.
    const plural = `${kebab(resource.noun).replace(/(?<=[^su])s$/, "")}s`
      .replace(/(?<![aeiou])ys$/, "ies")
      .replace(/(?<=s|x|ch|sh)s$/, "es");
    const earlier = resources.slice(0, index).filter(({ noun }) => plainName(noun) === plainName(resource.noun));
    return { ...resource, name: earlier.length === 0 ? plural : `${plural}-${earlier.length + 1}` };
  });
}

function readResource(noun: string, found: Partial<Record<RpcVerb, RpcMethod>>): RpcResource | undefined {
  const { create, read, list, update, remove } = found;
  const entries = list && entriesOf(list, noun);
  const thing =
    entries?.field.message ?? [read, create].flatMap((one) => (one && thingIn(one, noun)?.message) ?? [])[0];
  const things = thing?.fields ?? [];
  const byOf = ({ method }: RpcMethod) => identifier(method.input, noun, things);
  const by = [read, remove].flatMap((one) => (one && byOf(one)) ?? [])[0];
  const key = memberFor(by ?? "id", noun, namesOf(things));
  const identity = create && identityOf(create, noun, { by: by ?? key ?? "id", key, thing });
  const reading = read && byOf(read);
  const removing = remove && byOf(remove);
  const updating = update && updateOf(update, noun, { key, thing });
  const inCreated = create && thing && madeAt(create.method.output, noun, thing);
  const inRead = read && thing && pathTo(read.method.output, thing);
  const parts = {
    ...(thing === undefined ? {} : { thing }),
    ...(key === undefined ? {} : { key }),
    ...(create === undefined || identity === undefined
      ? {}
      : {
          create: {
            ...{ ...create, identity, body: (thing && pathTo(create.method.input, thing)) ?? [] },
            ...(inCreated === undefined ? {} : { thing: inCreated }),
          },
        }),
    ...(read === undefined || reading === undefined
      ? {}
      : { read: { ...read, by: [reading], ...(inRead === undefined ? {} : { thing: inRead }) } }),
    ...(list === undefined || entries === undefined
      ? {}
      : { list: { ...list, at: entries.field.jsonName, ...(entries.field.message && key ? { key } : {}) } }),
    ...(updating === undefined ? {} : { update: updating }),
    ...(remove === undefined || removing === undefined ? {} : { remove: { ...remove, by: [removing] } }),
  };
  if (!("create" in parts) && !("list" in parts)) return undefined;
  return { name: "", noun, reasons: reasonsOf(parts), ...parts };
}

function reasonsOf({ create, read, list, update, remove }: Partial<RpcResource>): string[] {
  const where = create?.identity;
  return [
    ...(create && where ? [`${create.rpc} makes one: ${where.at.join(".")} of the ${where.in} identifies it`] : []),
    ...(list ? [`${list.rpc} lists them in ${list.at}`] : []),
    ...(read ? [`${read.rpc} reads one by ${read.by.join(".")}`] : []),
    ...(update ? [`${update.rpc} changes the one that ${update.by.join(".")} names`] : []),
    ...(remove ? [`${remove.rpc} removes one by ${remove.by.join(".")}`] : []),
  ];
}

/** The list in a reply: the field that is named after the things, or else the only list of messages. */
function entriesOf({ method }: RpcMethod, noun: string): { readonly field: DescField } | undefined {
  const lists = method.output.fields.filter(({ fieldKind }) => fieldKind === "list");
  const isNamed = ({ name }: DescField) => plainName(name).startsWith(plainName(noun).slice(0, -1));
  const messages = lists.filter(({ message }) => message !== undefined);
  const field = lists.find(isNamed) ?? (messages.length === 1 ? messages[0] : undefined);
  return field && { field };
}

/** What describes a thing in a reply: a message that is named after it, or else the reply itself. */
function thingIn({ method }: RpcMethod, noun: string): { readonly message: DescMessage } | undefined {
  const { output } = method;
  const field = output.fields.find(
    ({ name, fieldKind }) => fieldKind === "message" && plainName(name) === plainName(noun),
  );
  if (field?.message !== undefined) return { message: field.message };
  const isNamed = plainName(output.name) === plainName(noun);
  return isNamed || memberFor("id", noun, namesOf(output.fields)) !== undefined ? { message: output } : undefined;
}

/** The scalar fields that can identify something. */
function namesOf(fields: readonly DescField[]): string[] {
  return fields.filter(isIdentifying).map(({ jsonName }) => jsonName);
}

function isIdentifying({ fieldKind, scalar }: DescField): boolean {
  const others = [ScalarType.BOOL, ScalarType.DOUBLE, ScalarType.FLOAT];
  return fieldKind === "scalar" && !others.includes(scalar);
}

/** The field of a request that names a thing. */
function identifier(input: DescMessage, noun: string, things: readonly DescField[]): string | undefined {
  const fields = namesOf(input.fields);
  const own = ["id", "name", "key", "uuid"];
  const usual = fields.find((name) =>
    [noun, ...own.map((one) => `${noun}${one}`)].map(plainName).includes(plainName(name)),
  );
  const known = fields.find((name) => namesOf(things).some((one) => plainName(one) === plainName(name)));
  const plain = own.flatMap((name) => fields.find((one) => plainName(one) === name) ?? [])[0];
  return usual ?? plain ?? known ?? (fields.length === 1 ? fields[0] : undefined);
}

function identityOf(
  { method }: RpcMethod,
  noun: string,
  {
    by,
    key,
    thing,
  }: { readonly by: string; readonly key: string | undefined; readonly thing: DescMessage | undefined },
): RpcIdentity | undefined {
  const path = thing && madeAt(method.output, noun, thing);
  if (path !== undefined && key !== undefined) return { in: "reply", at: [...path, key] };
  const replied = memberFor(by, noun, namesOf(method.output.fields));
  if (replied !== undefined) return { in: "reply", at: [replied] };
  const inBody = thing && pathTo(method.input, thing);
  if (inBody !== undefined && key !== undefined) return { in: "request", at: [...inBody, key] };
  const sent = memberFor(by, noun, namesOf(method.input.fields));
  return sent === undefined ? undefined : { in: "request", at: [sent] };
}

function updateOf(
  one: RpcMethod,
  noun: string,
  { key, thing }: { readonly key: string | undefined; readonly thing: DescMessage | undefined },
): RpcResource["update"] {
  const { input } = one.method;
  const body = thing && pathTo(input, thing);
  const flat = identifier(input, noun, thing?.fields ?? []);
  const isNested = body !== undefined && body.length > 0 && key !== undefined;
  const by = isNested ? [...body, key] : [flat ?? []].flat();
  if (by.length === 0) return undefined;
  const mask = input.fields.find(({ message }) => message?.typeName === "google.protobuf.FieldMask")?.jsonName;
  return { ...one, by, body: body ?? [], ...(mask === undefined ? {} : { mask }) };
}

/** Where a reply describes what was made: another field of its type, such as `previous`, may describe something else. */
function madeAt(output: DescMessage, noun: string, thing: DescMessage): FieldPath | undefined {
  const path = pathTo(output, thing);
  const [field] = path ?? [];
  return field === undefined || [noun, thing.name].some((name) => plainName(name) === plainName(field))
    ? path
    : undefined;
}

/** Where a message has another: itself, or one of its fields. */
function pathTo(from: DescMessage, to: DescMessage): FieldPath | undefined {
  if (from.typeName === to.typeName) return [];
  const field = from.fields.find(
    ({ fieldKind, message }) => fieldKind === "message" && message?.typeName === to.typeName,
  );
  return field && [field.jsonName];
}
