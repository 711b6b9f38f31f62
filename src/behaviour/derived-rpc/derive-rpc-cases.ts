import { type DescField, type DescMethod, type JsonObject, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import { merged } from "../../contract/rpc/bindings.js";
import type { EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import { methodOf, type RpcMethod } from "../../contract/rpc/contract.js";
import type { FieldPath, RpcResource } from "../../contract/rpc/resources/find-rpc-resources.js";
import { exampleFor, type Flavour } from "../../contract/rpc/resources/message-values.js";
import { type MadeThing, type MakingThing, makeRpcThing, type RpcContext, type SentField } from "./make-rpc-thing.js";
import { type RpcDerivedKind, rpcDerivedRule } from "./rpc-derived-rules.js";

interface Draft extends Pick<RpcCase, "rpc" | "bind" | "request" | "expect" | "reply" | "error" | "within"> {
  readonly kind: RpcDerivedKind;
  readonly name?: string;
  readonly depth: Depth;
  readonly summary: string;
  readonly given: readonly EarlierCall[];
}

/** The steps that show that a service keeps what it is sent. Undefined if nothing can show that. */
export function keptBy(context: RpcContext, { method }: RpcMethod): readonly EarlierCall[] | undefined {
  const own = context.all.filter(({ create }) => create?.method.parent.typeName === method.parent.typeName);
  for (const resource of own) {
    const kept = makeKept({ context, resource }, { id: "kept" });
    if (kept !== undefined) return kept.given;
  }
  return undefined;
}

/** Derives the workflows of a resource. */
export function deriveRpcCases(context: RpcContext, resource: RpcResource): RpcCase[] {
  const about = { context, resource };
  const drafts = [...createdIsRead(about), ...listed(about), ...changed(about), ...removed(about), ...refused(about)];
  return drafts.map(({ kind, name, depth, ...draft }, index) => ({
    ...draft,
    request: withExample(about, { kind, depth, ...draft }, index + 1),
    name: `${resource.name}-${name ?? kind}`,
    rule: rpcDerivedRule(resource, kind).id,
    derived: { kind: "workflow", depth },
  }));
}

interface About {
  readonly context: RpcContext;
  readonly resource: RpcResource;
}

type Kept = MadeThing & { readonly given: readonly EarlierCall[] };

/** Makes a thing, and shows that the server keeps it: its own value comes back. Undefined if nothing can show that. */
function makeKept({ context, resource }: About, making: Partial<MakingThing> = {}): Kept | undefined {
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

/** What a reply must hold of what was sent. */
function expectedIn(thing: FieldPath, sent: readonly SentField[]): Record<`/${string}`, Matcher> {
  return Object.fromEntries(sent.map(({ name, matcher }) => [`/${[...thing, name].join("/")}`, matcher]));
}

function nested([name = "", ...rest]: FieldPath, value: JsonValue): JsonObject {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

/** The request with another example of what is bound for each case, so that a mock can tell them apart. */
function withExample({ context }: About, { rpc, bind = {}, request }: Draft, nth: number): JsonObject {
  const { input } = methodOf(context.contract, rpc);
  return Object.keys(bind).reduce((message, field) => {
    const path = field.split(".");
    return merged(message, nested(path, exampleFor(input, path, nth)));
  }, request);
}

function readOf(
  { resource }: About,
  made: MadeThing,
): Pick<RpcCase, "rpc" | "bind" | "request" | "within"> | undefined {
  const { read } = resource;
  if (read === undefined) return undefined;
  return { rpc: read.rpc, bind: { [read.by.join(".")]: made.id }, request: {}, within: 3 };
}

/** The identity in what is read. */
function identityIn({ resource }: About, made: MadeThing): Record<string, Matcher> {
  const { read, key } = resource;
  return read?.thing === undefined || key === undefined
    ? {}
    : { [`/${[...read.thing, key].join("/")}`]: `$${made.id}` };
}

function createdIsRead(about: About): Draft[] {
  const { resource } = about;
  const { create, read, thing } = resource;
  if (create === undefined || read?.thing === undefined || thing === undefined) return [];
  const inRead = read.thing;
  const known = new Set(thing.fields.map(({ jsonName }) => jsonName));
  const flow = (name: string, depth: Depth, summary: string, making: Partial<MakingThing>): Draft[] => {
    const made = makeKept(about, making);
    const reading = made && readOf(about, made);
    if (made === undefined || reading === undefined) return [];
    const sent = made.sent.filter((one) => known.has(one.name));
    const expect = { ...identityIn(about, made), ...expectedIn(inRead, sent) };
    return [{ ...{ kind: "created-is-read", name, depth, summary, given: made.given }, ...reading, reply: {}, expect }];
  };
  const noun = resource.name.replaceAll("-", " ");
  const flavours: readonly [Flavour, Depth, string][] = [
    ["zeros", "normal", "with the defaults of fields that tell them from absent ones"],
    ["last", "normal", "with the last value of enumerations, and the last field of each oneof"],
    ["greatest", "thorough", "with the greatest integers"],
  ];
  const plain = JSON.stringify(makeRpcThing(about.context, resource, { taken: [] })?.step.with);
  const others = flavours.flatMap(([flavour, depth, how]) => {
    const step = makeRpcThing(about.context, resource, { taken: [], flavour })?.step;
    if (JSON.stringify(step?.with) === plain) return [];
    return flow(`created-with-${flavour}`, depth, `What was created of ${noun} ${how} is read back`, { flavour });
  });
  return [
    ...flow("created-is-read", "quick", `What was created of ${noun} is read back`, {}),
    ...(create.identity.in === "reply"
      ? flow("keeps-texts", "normal", "A text beyond ASCII and Latin-1 is read back", { suffix: " zoë 東京 ẑ 🗼" })
      : []),
    ...others,
    ...enumValues(about).flatMap(({ field, value }) =>
      flow(
        `created-with-${value.toLowerCase().replaceAll("_", "-")}`,
        "thorough",
        `What was created with ${field} ${value} is read back`,
        { override: { [field]: value } },
      ),
    ),
    ...answeredAsRead(about),
  ];
}

function enumValues({ resource }: About): { readonly field: string; readonly value: string }[] {
  const fields = resource.thing?.fields.filter(({ fieldKind }) => fieldKind === "enum") ?? [];
  return fields.flatMap((field) => {
    const values = field.enum?.values.filter(({ number }) => number !== 0).slice(1, -1) ?? [];
    return values.map(({ name }) => ({ field: field.jsonName, value: name }));
  });
}

/** The reply to a creation says what is then read. */
function answeredAsRead(about: About): Draft[] {
  const { create, read, thing, name } = about.resource;
  if (create?.thing === undefined || read?.thing === undefined || thing === undefined) return [];
  const [created, inRead] = [create.thing, read.thing];
  const one = (flavour: Flavour): Draft[] => {
    const made = makeKept(about, { flavour });
    const reading = made && readOf(about, made);
    if (made === undefined || reading === undefined) return [];
    const both = made.sent.filter((sent) => thing.fields.some(({ jsonName }) => jsonName === sent.name));
    const expect = both.map(({ name: field }): [string, Matcher] => [
      `/${[...inRead, field].join("/")}`,
      { "if-present": { equals: `$${["create", ...created, field].join(".")}` } },
    ]);
    const suffix = flavour === "plain" ? "" : `-with-${flavour}`;
    return [
      {
        ...{ kind: "created-is-read", name: `answered-as-read${suffix}`, depth: "normal", given: made.given },
        ...{ summary: `The reply to a creation of ${name.replaceAll("-", " ")} says what is then read` },
        ...{ ...reading, reply: {}, expect: Object.fromEntries(expect) },
      },
    ];
  };
  return [...one("plain"), ...one("zeros"), ...one("last")];
}

const paging =
  /^(?:page|limit|offset|cursor|page_?(?:size|token|number)|max_?(?:results|count)|next_?(?:page)?_?token)$/i;

/** What a list is asked for: the thing by its key or own text, where the request has one, or else everything. */
function listRequest({ resource }: About, { id, own }: MadeThing): Readonly<Record<string, string>> {
  const { list, key } = resource;
  const has = (name: string | undefined) =>
    list?.method.input.fields.some((field) => field.jsonName === name && field.fieldKind === "scalar") === true;
  if (key !== undefined && has(key)) return { [key]: id };
  return own?.matcher === "$unique.word" && has(own.name) ? { [own.name]: "unique.word" } : {};
}

function listCall(about: About, made: MadeThing): Pick<RpcCase, "rpc" | "bind" | "request"> {
  const bind = listRequest(about, made);
  return { rpc: about.resource.list?.rpc ?? "", request: {}, ...(Object.keys(bind).length === 0 ? {} : { bind }) };
}

/** The entry of a thing in a list: its identity, with the values that were sent. */
function entryOf({ resource }: About, { id, sent }: MadeThing): Matcher {
  const { list, thing, key } = resource;
  if (list?.key === undefined) return `$${id}`;
  const known = sent.filter(({ name }) => name !== key && thing?.fields.some(({ jsonName }) => jsonName === name));
  return { at: { [`/${list.key}`]: `$${id}`, ...(resource.read === undefined ? expectedIn([], known) : {}) } };
}

/** A list that is shorter is no part of a longer one, unless its reply says so. */
const minPage = 10;

function isLast({ output }: DescMethod): Record<`/${string}`, Matcher> | undefined {
  const texts = output.fields.filter(({ scalar, fieldKind }) => scalar === ScalarType.STRING && fieldKind === "scalar");
  const next = texts.find(({ name }) => /(?:^|_)next(?:_|$)|page_token$|cursor$/.test(name));
  return next === undefined ? undefined : { [`/${next.jsonName}`]: "" };
}

function listed(about: About): Draft[] {
  const { resource } = about;
  const { create, list, thing } = resource;
  if (create === undefined || list === undefined) return [];
  const { input } = list.method;
  const at = `/${list.at}` as const;
  const plain = makeKept(about) ?? makeOther(about);
  if (plain === undefined) return [];
  const call = listCall(about, plain);
  const isPaged = input.fields.some(({ name }) => paging.test(name)) && call.bind === undefined;
  const more = isLast(list.method);
  const short: Record<`/${string}`, Matcher> = more ?? { [at]: { count: { below: minPage } } };
  const whole: EarlierCall[] = isPaged ? [{ id: "count", call: list.rpc, with: {}, expect: short }] : [];
  const main: Draft = {
    ...{ kind: "listed", depth: "quick", within: 3, reply: {}, ...call },
    ...{
      summary: `What was created of ${resource.name.replaceAll("-", " ")} is listed`,
      given: [...plain.given, ...whole],
    },
    expect: { [at]: { includes: entryOf(about, plain) } },
  };
  const filters = (thing?.fields ?? []).flatMap((field): Draft[] => {
    const filter = input.fields.find((one) => isFilterOf(one, field, input.fields));
    const values = field.enum?.values.filter(({ number }) => number !== 0).map(({ name }) => name) ?? [];
    const [value, other] = values;
    if (filter === undefined || value === undefined || other === undefined) return [];
    const taken: EarlierCall[] = [];
    const first = makeKept(about, { taken, override: { [field.jsonName]: value } });
    const second = makeKept(about, { taken, id: "second", override: { [field.jsonName]: other } });
    if (first === undefined || second === undefined || create.identity.in === "request") return [];
    const wanted = filter.fieldKind === "list" ? [value] : value;
    const every: Matcher = { every: { at: { [`/${field.jsonName}`]: value } } };
    return [
      {
        ...{
          kind: "listed",
          name: `listed-by-${filter.name.replaceAll("_", "-")}`,
          depth: "normal",
          within: 3,
          reply: {},
        },
        ...{ summary: `A filter by \`${filter.name}\` lists only what has that value`, given: second.given },
        ...{ ...call, request: { ...call.request, [filter.jsonName]: wanted } },
        expect: { [at]: isPaged ? every : { all: [{ includes: entryOf(about, first) }, every] } },
      },
    ];
  });
  return [main, ...filters];
}

/** A thing without a value of its own: the run chooses its identity, or the server gives two things different ones. */
function makeOther(about: About): Kept | undefined {
  const taken: EarlierCall[] = [];
  const { identity } = about.resource.create ?? {};
  const made = makeRpcThing(about.context, about.resource, { taken });
  if (made === undefined || identity?.in === "request") return made && { ...made, given: [...taken] };
  const at = `/${identity?.at.join("/")}` as const;
  const expect = { [at]: { not: `$${made.id}` } };
  return makeRpcThing(about.context, about.resource, { taken, id: "other", expect }) && { ...made, given: [...taken] };
}

/** Whether a field of a list's request is a filter by an enumeration: of the same name, or the only one of the same type. */
function isFilterOf(one: DescField, field: DescField, all: readonly DescField[]): boolean {
  if (one.enum === undefined || one.enum.typeName !== field.enum?.typeName) return false;
  return (
    one.jsonName === field.jsonName || all.filter((other) => other.enum?.typeName === field.enum?.typeName).length === 1
  );
}

function changed(about: About): Draft[] {
  const { resource } = about;
  const { read, update, create } = resource;
  const made = makeKept(about);
  if (made?.own === undefined || read?.thing === undefined || update === undefined || create?.identity.in !== "reply")
    return [];
  const reading = readOf(about, made);
  const body = update.body.length === 0 ? update.method.input : resource.thing;
  const { own, sent } = made;
  if (reading === undefined || !body?.fields.some(({ jsonName }) => jsonName === own.name)) return [];
  const renamed = "{$unique.word}-changed";
  const others = sent.filter(
    ({ name }) => name !== own.name && resource.thing?.fields.some((one) => one.jsonName === name),
  );
  const request = (values: JsonObject): JsonObject => withPath(nested(update.by, `$${made.id}`), update.body, values);
  const flow = (name: string, summary: string, values: JsonObject, rest: readonly SentField[]): Draft => ({
    ...{ kind: "changed", name, depth: "normal", summary, reply: {} },
    given: [...made.given, { id: "change", call: update.rpc, with: values }],
    ...reading,
    expect: {
      ...expectedIn(read.thing ?? [], [{ name: own.name, matcher: renamed }, ...rest]),
      ...identityIn(about, made),
    },
  });
  const noun = resource.name.replaceAll("-", " ");
  const { mask } = update;
  const ownMask = body.fields.find(({ jsonName }) => jsonName === own.name)?.jsonName ?? own.name;
  const whole = withValues(made, create.body);
  return [
    flow("changed", `What was changed of ${noun} is read back`, request({ ...whole, [own.name]: renamed }), []),
    ...(mask === undefined
      ? []
      : [
          flow(
            "changed-by-mask",
            `An update with a field mask leaves the rest of ${noun}`,
            { ...request({ [own.name]: renamed }), [mask]: ownMask },
            others,
          ),
        ]),
  ];
}

/** What was sent of a thing, to be sent again. */
function withValues({ step }: MadeThing, body: FieldPath): JsonObject {
  return body.reduce<unknown>((value, name) => Object(value)[name], step.with) as JsonObject;
}

function withPath(message: JsonObject, path: FieldPath, values: JsonObject): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return { ...values, ...message };
  return { ...message, [name]: withPath((message[name] ?? {}) as JsonObject, rest, values) };
}

/** Messages that keep what was removed with a mark. */
const softly = /delete|state|status|archive|active|removed/i;

function removed(about: About): Draft[] {
  const { resource } = about;
  const { read, list, remove, thing } = resource;
  if (remove === undefined) return [];
  const made = makeKept(about) ?? makeOther(about);
  const isSoft = thing?.fields.some(({ name }) => softly.test(name)) === true;
  if (made === undefined || isSoft) return [];
  const summary = `What was removed of ${resource.name.replaceAll("-", " ")} is gone`;
  const removal: EarlierCall = { id: "remove", call: remove.rpc, with: nested(remove.by, `$${made.id}`) };
  const reading = readOf(about, made);
  const isKept = made.given.some(({ id }) => id === "kept-create");
  if (read !== undefined && reading !== undefined) {
    const before: EarlierCall[] = isKept
      ? []
      : [{ id: "before", call: read.rpc, with: nested(read.by, `$${made.id}`) }];
    const given = [...made.given, ...before, removal];
    const error = { code: "any", message: "there is no such thing" };
    return [{ kind: "removed", depth: "quick", summary, given, ...reading, error }];
  }
  if (list === undefined) return [];
  const entry = entryOf(about, made);
  const at = `/${list.at}` as const;
  const bound = Object.entries(listRequest(about, made)).map(([name, source]) => [name, `$${source}`]);
  const before: EarlierCall = {
    id: "before",
    call: list.rpc,
    with: Object.fromEntries(bound),
    expect: { [at]: { includes: entry } },
  };
  const given = [...made.given, before, removal];
  const expect = { [at]: { not: { includes: entry } } };
  return [{ kind: "removed", depth: "quick", summary, given, ...listCall(about, made), reply: {}, expect, within: 3 }];
}

/** A thing that is made again under the same identity, which is refused. */
function refused(about: About): Draft[] {
  const { context, resource } = about;
  const { create, read } = resource;
  if (create?.identity.in !== "request" || read?.thing === undefined) return [];
  const made = makeKept(about);
  const reading = made && readOf(about, made);
  const taken = [...(made?.given ?? [])];
  const again = makeRpcThing(context, resource, { taken, id: "again", flavour: "last" })?.step;
  if (made === undefined || reading === undefined || again === undefined) return [];
  const known = new Set(resource.thing?.fields.map(({ jsonName }) => jsonName));
  return [
    {
      ...{ kind: "refused-changes-nothing", depth: "normal", reply: {}, ...reading },
      summary: `A second creation under the same identity leaves ${resource.name.replaceAll("-", " ")} as they are`,
      given: [...made.given, { ...again, expect: { status: { not: "ok" } } }],
      expect: expectedIn(
        read.thing,
        made.sent.filter(({ name }) => known.has(name)),
      ),
    },
  ];
}
