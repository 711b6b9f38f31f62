import type { Output } from "../../contract/check.js";
import type { ContractDocument, Schema } from "../../contract/rest/document.js";
import { parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import type { ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import { escapeKey, membersOf, plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource } from "../workflow-source.js";
import { makeThing, required, statusOf } from "./make-things.js";
import { type Context, type DerivedWorkflow, draft, judgedSoon, makeKept, noun } from "./workflow-parts.js";

/** Query parameters that say how many entries a page has, and where it begins. */
const sizes = /^(?:limit|per_?page|page_?size|size|take|top|max_?results)$/i;
const offsets = /^(?:offset|skip|start)$/i;
const pages = /^(?:page|page_?number)$/i;
const cursors = /^(?:cursor|page_?token|continue|continuation_?token|after)$/i;
/** Members of a response that hold the cursor of the next page. */
const nextMembers = /^(?:next|next_?cursor|next_?page_?token|continue|continuation_?token|cursor)$/i;

/** A way to read pages: what is sent for the first and the second one, and where the first names the second. */
interface Paging {
  readonly name: string;
  /** The parameter for the number of entries. */
  readonly size: string;
  readonly first: Readonly<Record<string, unknown>>;
  /** What the second page is asked for with, or that it is where a link of the first leads. */
  readonly second: Readonly<Record<string, unknown>> | "link";
  readonly next?: Output;
}

/** Pages neither repeat an entry nor lose one. */
export function paged(context: Context): DerivedWorkflow[] {
  const { document, resource, callerOf } = context;
  const { create, list } = resource;
  if (create === undefined || list === undefined) return [];
  const taken: string[] = [];
  const made = makeKept(context, { taken, suffix: "-one" });
  if (made === undefined) return [];
  const other = makeThing(context, resource, {
    taken,
    suffix: "-two",
    outer: { steps: [], params: made.params, removals: [] },
  });
  const { at, key } = list.listed;
  return waysToPage(document, list).flatMap(({ name, size, first, second, next }) => {
    const { operation } = list;
    const page = (values: Readonly<Record<string, unknown>>) => ({
      ...{ call: operation.operationId, ...callerOf(operation) },
      with: { ...required(document, list, made.params), ...values },
    });
    // Both are listed before the pages are read.
    const both: CallSource = {
      ...{ id: "both", ...page({ ...first, [size]: 2 }), precondition: true, within: 3 },
      expect: { ...statusOf(list), [at]: { count: 2 } },
    };
    // A server that keeps to no size, or has a smallest one, is left alone.
    const one: CallSource = {
      ...{ id: "first-page", ...page(first), precondition: true },
      expect: { ...statusOf(list), [at]: { count: 1 } },
      outputs: { entry: `${at}/0${key}`, ...(next === undefined ? {} : { next }) },
    };
    const asked: Partial<CallSource> =
      second === "link"
        ? { request: { method: "GET", url: "$first-page.next" }, ...callerOf(operation) }
        : page(second);
    const two: CallSource = {
      ...{ id: "second-page", ...asked, ...judgedSoon },
      expect: {
        ...statusOf(list),
        [at]: { all: [{ count: 1 }, { at: { [`/0${key}`]: { not: "$first-page.entry" } } }] },
      },
    };
    return draft(context, {
      ...{ name: `listed-in-pages-by-${name}`, kind: "listed", keeper: create, depth: "normal" },
      summary: `Pages of ${noun(context)} neither repeat an entry nor lose one`,
      steps: [...made.steps, ...made.kept, ...other.steps, both, one, two, ...other.removals, ...made.removals],
    });
  });
}

function isUrl(schema: Schema | undefined): boolean {
  return schema?.format === "uri" || schema?.format === "url";
}

function waysToPage(document: ContractDocument, { operation, success }: ResourceOperation): Paging[] {
  const parameters = parametersOf(document, operation).filter((one) => one.in === "query");
  const named = (pattern: RegExp) => parameters.find(({ name }) => pattern.test(name));
  const [size, offset, page, cursor] = [sizes, offsets, pages, cursors].map(named);
  const least = size && Number(plainSchema(document, parameterSchema(size))?.minimum ?? 1);
  if (size === undefined || least !== 1) return [];
  const single = { [size.name]: 1 };
  const sized = { size: size.name };
  const begin = page && plainSchema(document, parameterSchema(page));
  const number = Number(begin?.minimum ?? begin?.default ?? 1);
  const members = membersOf(document, success.schema)?.properties ?? {};
  const isLinked = success.headers.some((name) => name.toLowerCase() === "link");
  const nextUrl = Object.keys(members).find(
    (name) => /^(?:next|next_?(?:url|link|page))$/i.test(name) && isUrl(plainSchema(document, members[name])),
  );
  const linked = (at: Output): Paging => ({ ...sized, name: "link", first: single, second: "link", next: at });
  const next = Object.keys(members).find(
    (name) => nextMembers.test(name) && plainType(document, members[name]) === "string",
  );
  return [
    ...(offset === undefined
      ? []
      : [
          { ...sized, name: "offset", first: { ...single, [offset.name]: 0 }, second: { ...single, [offset.name]: 1 } },
        ]),
    ...(page === undefined
      ? []
      : [
          {
            ...sized,
            name: "page",
            first: { ...single, [page.name]: number },
            second: { ...single, [page.name]: number + 1 },
          },
        ]),
    ...(cursor === undefined || next === undefined
      ? []
      : [
          {
            ...sized,
            name: "cursor",
            first: single,
            second: { ...single, [cursor.name]: "$first-page.next" },
            next: `/${next}`,
          },
        ]),
    ...(isLinked ? [linked({ at: "header Link", rel: "next", optional: true })] : []),
    ...(isLinked || nextUrl === undefined ? [] : [linked({ at: `/${escapeKey(nextUrl)}`, optional: true })]),
  ];
}
