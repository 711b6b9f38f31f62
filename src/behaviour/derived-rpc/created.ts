import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import type { Flavour } from "../../contract/rpc/resources/message-values.js";
import { type MakingThing, makeRpcThing } from "./make-rpc-thing.js";
import { type About, type Draft, expectedIn, identityIn, makeKept, readOf } from "./rpc-draft.js";

/** What was created is read back, in several ways. */
export function createdIsRead(about: About): Draft[] {
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
