import { type DescField, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import type { Matcher } from "../../contract/matcher.js";
import type { EarlierCall } from "../../contract/rpc/cases.js";
import { type About, type Draft, entryOf, listCall, makeKept, makeOther } from "./rpc-draft.js";

const paging =
  /^(?:page|limit|offset|cursor|page_?(?:size|token|number)|max_?(?:results|count)|next_?(?:page)?_?token)$/i;

/** A list that is shorter is no part of a longer one, unless its reply says so. */
const minPage = 10;

function isLast({ output }: DescMethod): Record<`/${string}`, Matcher> | undefined {
  const texts = output.fields.filter(({ scalar, fieldKind }) => scalar === ScalarType.STRING && fieldKind === "scalar");
  const next = texts.find(({ name }) => /(?:^|_)next(?:_|$)|page_token$|cursor$/.test(name));
  return next === undefined ? undefined : { [`/${next.jsonName}`]: "" };
}

/** What was created is listed, and filters by enumerations leave out others. */
export function listed(about: About): Draft[] {
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

/** Whether a field of a list's request is a filter by an enumeration: of the same name, or the only one of the same type. */
function isFilterOf(one: DescField, field: DescField, all: readonly DescField[]): boolean {
  if (one.enum === undefined || one.enum.typeName !== field.enum?.typeName) return false;
  return (
    one.jsonName === field.jsonName || all.filter((other) => other.enum?.typeName === field.enum?.typeName).length === 1
  );
}
