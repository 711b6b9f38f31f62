import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import { parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import { type BodyField, requestBodyOf } from "../../contract/rest/request-body.js";
import { escapeKey, plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource, ExpectationSource } from "../workflow-source.js";
import { type Made, type Making, makeThing, memberAt, required, statusOf, stepId, withOf } from "./make-things.js";
import { expectedIn } from "./request-values.js";

import {
  type Context,
  type DerivedWorkflow,
  draft,
  identityIn,
  judged,
  judgedSoon,
  makeKept,
  marked,
  noun,
  readStep,
} from "./workflow-parts.js";

/** What was created is read back. */
export function createdIsRead(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { create, read } = resource;
  if (create === undefined || read === undefined) return [];
  const kind = "created-is-read";
  const keeper = create;
  const flow = (name: string, depth: Depth, summary: string, making: Partial<Making>): DerivedWorkflow[] => {
    const taken: string[] = [];
    const plain = makeThing(context, resource, { taken: [], ...making });
    const own = plain.values.own && { sent: [{ ...plain.values.own, matcher: marked }] };
    const echo = own ? expectedIn(document, own, create.thing) : {};
    const isEchoed = Object.keys(echo).length > 0;
    const made = makeThing(context, resource, { taken, ...making, ...(isEchoed ? { expect: () => echo } : {}) });
    const all = { ...identityIn(context, made), ...expectedIn(document, made.values, read.thing) };
    const inRead = own ? expectedIn(document, own, read.thing) : {};
    const first = readStep(context, made, stepId("read", taken), judgedSoon, isEchoed ? all : {});
    const others =
      isEchoed || Object.keys(inRead).length === 0
        ? []
        : [
            readStep(context, made, stepId("kept", taken), { precondition: true }, inRead),
            readStep(context, made, stepId("compare", taken), judged, all),
          ];
    return draft(context, {
      name,
      kind,
      keeper,
      depth,
      summary,
      steps: [...made.steps, first, ...others, ...made.removals],
    });
  };
  const { values } = makeThing(context, resource, { taken: [] });
  const isOwn = values.own !== undefined;
  const whole = makeThing(context, resource, { taken: [], isFull: true }).values.with;
  const isFuller = Object.keys(whole).length > Object.keys(values.with).length;
  return [
    ...flow(kind, "quick", `What was created of ${noun(context)} is read back`, {}),
    ...(isOwn
      ? flow("keeps-texts", "normal", `A text beyond ASCII and Latin-1 is read back`, { suffix: " zoë 東京 ẑ 🗼" })
      : []),
    ...(isFuller
      ? flow("created-in-full", "thorough", "What was created with its optional members is read back", { isFull: true })
      : []),
    ...answeredAsRead(context),
    ...located(context),
  ];
}

/** What the response to a creation says is what is read. */
function answeredAsRead(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { create, read } = resource;
  const answered = create?.thing;
  if (create?.identity?.kind !== "body" || read?.thing === undefined || answered === undefined) return [];
  const { values } = makeThing(context, resource, { taken: [] });
  const both = values.sent.filter(
    (one) =>
      Object.keys(expectedIn(document, { sent: [one] }, read.thing)).length > 0 &&
      answered.shape.required.includes(one.field),
  );
  if (both.length === 0) return [];
  const outputs = Object.fromEntries(both.map(({ field }, index) => [outputName(index), memberAt(answered, field)]));
  const made = makeKept(context, { outputs });
  if (made === undefined) return [];
  const expected = both.map(({ field }, index) => [
    memberAt(read.thing ?? answered, field),
    `$create.${outputName(index)}`,
  ]);
  const again = readStep(context, made, "read", judged, Object.fromEntries(expected));
  return draft(context, {
    ...{ name: "answered-as-read", kind: "created-is-read", keeper: create, depth: "normal" },
    summary: "The response to a creation says what is then read",
    steps: [...made.steps, ...made.kept, again, ...made.removals],
  });
}

function outputName(index: number): string {
  return `value_${String.fromCharCode(97 + (index % 26))}${"x".repeat(Math.floor(index / 26))}`;
}

function located(context: Context): DerivedWorkflow[] {
  const { resource } = context;
  const { create, read } = resource;
  const hasLocation = create?.success.headers.some((name) => name.toLowerCase() === "location") === true;
  if (create === undefined || read === undefined || !hasLocation) return [];
  const made = makeKept(context, { outputs: { location: { at: "header Location", optional: true } } });
  if (made === undefined) return [];
  const expect = { status: { any: [...read.success.statuses, 301, 302, 303, 307, 308] }, ...identityIn(context, made) };
  const follow: CallSource = {
    ...{ id: "follow", request: { method: "GET", url: "$create.location" } },
    ...{ ...context.callerOf(read.operation), ...judged, expect },
  };
  return draft(context, {
    ...{ name: "location", kind: "created-is-read", keeper: create, depth: "normal" },
    summary: "`Location` leads to what was created",
    steps: [...made.steps, ...made.kept, follow, ...made.removals],
  });
}

/** What was created is listed, and found by filters. */
export function listed(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { create, list } = resource;
  if (create === undefined || list === undefined) return [];
  const kind = "listed";
  const { at, key, shape } = list.listed;
  const listStep = (
    made: Made,
    id: string,
    more: Partial<CallSource>,
    filter: object,
    expect: ExpectationSource,
  ): CallSource => {
    const { operation } = list;
    const values = { ...required(document, list, made.params), ...filter };
    return {
      ...{ id, call: operation.operationId, ...context.callerOf(operation) },
      ...withOf(values),
      ...{ ...more, expect: { ...statusOf(list), ...expect } },
    };
  };
  const entry = ({ id }: Made): Matcher => ({
    includes: key === "" ? (id as Matcher) : { at: { [key]: id as Matcher } },
  });
  const made = makeKept(context);
  if (made === undefined || (create.identity?.kind === "location" && key !== "")) return [];
  const parameters = parametersOf(document, list.operation).filter((one) => one.in === "query");
  const isPaged = parameters.some(({ name }) => paging.test(name));
  const short = isPaged
    ? [listStep(made, "count", { precondition: true }, {}, { [at]: { count: { below: minPage } } })]
    : [];
  const steps = [
    ...made.steps,
    ...made.kept,
    ...short,
    listStep(made, "list", judgedSoon, {}, { [at]: entry(made) }),
    ...made.removals,
  ];
  const filters = parameters.flatMap((parameter) => {
    const field = requestBodyOf(document, create.operation)?.fields.find((one) => one.field === parameter.name);
    const pair =
      field && shape?.required.includes(parameter.name) === true ? valuePair(context, field, made) : undefined;
    if (field === undefined || pair === undefined) return [];
    const [value, other] = pair;
    const isArray = plainType(document, parameterSchema(parameter)) === "array";
    const taken: string[] = [];
    const first = makeKept(context, { taken, override: { [field.name]: value }, suffix: "-one" });
    const second = makeThing(context, resource, { taken, override: { [field.name]: other }, suffix: "-two" });
    const same: Matcher = { every: { at: { [`/${escapeKey(parameter.name)}`]: value } } };
    const expected = first && { [at]: isPaged ? same : { all: [entry(first), same] } };
    if (first === undefined || expected === undefined) return [];
    const filter = { [parameter.name]: isArray ? [value] : value };
    const word = parameter.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return draft(context, {
      ...{ name: `listed-by-${word}`, kind, keeper: create, depth: "normal" as const },
      summary: `\`${parameter.name}\` lists only what has that value`,
      steps: [
        ...[...first.steps, ...first.kept, ...second.steps, listStep(first, "find", judgedSoon, filter, expected)],
        ...[...second.removals, ...first.removals],
      ],
    });
  });
  return [
    ...draft(context, {
      kind,
      keeper: create,
      depth: "quick",
      summary: `What was created of ${noun(context)} is listed`,
      steps,
    }),
    ...filters,
  ];
}

/** Two values of a field, by which things can be told apart. Undefined if the document names none. */
function valuePair({ document, resource }: Context, field: BodyField, { values }: Made): [string, string] | undefined {
  const { read, create } = resource;
  const hint = (read?.thing ?? create?.thing)?.shape.properties[field.field ?? ""];
  const listed = plainSchema(document, field.schema)?.enum ?? plainSchema(document, hint)?.enum ?? [];
  const [first, second] = listed.filter((one) => typeof one === "string");
  if (first !== undefined && second !== undefined) return [first, second];
  // A filter that compares parts must tell them apart, too.
  return values.own?.name === field.name ? ["{$unique.word}-one", "{$unique.word}-two"] : undefined;
}

/** Parameters by which a list is read in parts. */
const paging =
  /^(?:page|limit|offset|cursor|after|before|start|starting_after|per_?page|page_?(?:size|token|number)|max_?results|size|skip|take|top|count)$/i;

/** A list that is shorter is no part of a longer one: no API has smaller pages by default. */
const minPage = 10;
