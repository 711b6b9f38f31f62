import type { JsonObject } from "@bufbuild/protobuf";
import type { EarlierCall } from "../../contract/rpc/cases.js";
import type { FieldPath } from "../../contract/rpc/resources/find-rpc-resources.js";
import { type MadeThing, makeRpcThing, type SentField } from "./make-rpc-thing.js";
import {
  type About,
  type Draft,
  entryOf,
  expectedIn,
  identityIn,
  listCall,
  listRequest,
  makeKept,
  makeOther,
  nested,
  readOf,
} from "./rpc-draft.js";

/** What was changed is read back, and an update with a field mask leaves the rest. */
export function changed(about: About): Draft[] {
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

/** What was removed is gone. */
export function removed(about: About): Draft[] {
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
export function refused(about: About): Draft[] {
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
