import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import { parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import { type BodyField, requestBodyOf } from "../../contract/rest/request-body.js";
import { headerOf, type Resource, type ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import { escapeKey, plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource, ExpectationSource, WorkflowSource } from "../workflow-source.js";
import { type DerivedKind, derivedRuleId, idempotencyKey, ifMatch, isMergePatch } from "./derived-rules.js";
import {
  type Made,
  type Making,
  makeThing,
  memberAt,
  prepareOuter,
  type Resources,
  required,
  statusOf,
  stepId,
  withOf,
} from "./make-things.js";
import { expectedIn, hasMember, type RequestValues, requestValues } from "./request-values.js";

/** A workflow that follows from a document. */
export interface DerivedWorkflow {
  readonly id: string;
  readonly kind: DerivedKind;
  /** The operation that keeps or breaks the rule. */
  readonly operationId: string;
  /** The least depth of a run that has it. */
  readonly depth: Depth;
  readonly source: Omit<WorkflowSource, "as">;
}

interface Context extends Resources {
  readonly resource: Resource;
  /** Whether there may be an account of somebody else. */
  readonly hasOther: boolean;
}

/** Lists the workflows of a resource. Throws a `MissingThing` if nothing of its kind can be made. */
export function deriveWorkflows(context: Context): DerivedWorkflow[] {
  const { resource } = context;
  if (resource.create === undefined) return [];
  // Whether one can be made at all.
  makeThing(context, resource, { taken: [] });
  return [
    ...createdIsRead(context),
    ...listed(context),
    ...removed(context),
    ...replaced(context),
    ...changed(context),
    ...refused(context),
    ...repeated(context),
    ...guarded(context),
    ...concurrent(context),
  ];
}

type Draft = Omit<DerivedWorkflow, "id" | "kind" | "operationId" | "source"> & {
  readonly name?: string;
  readonly summary: string;
  readonly kind: DerivedKind;
  readonly keeper: ResourceOperation | undefined;
  readonly steps: readonly CallSource[];
};

function draft({ resource }: Context, { name, kind, keeper, summary, steps, depth }: Draft): DerivedWorkflow[] {
  if (keeper === undefined) return [];
  const rules = [derivedRuleId(resource, kind)];
  const marked = steps.map((step) => ("rules" in step ? { ...step, rules } : step));
  const id = `${resource.name}-${name ?? kind}`;
  return [{ id, kind, depth, operationId: keeper.operation.operationId, source: { summary, steps: marked } }];
}

/** Says that a step shows the rule of its workflow. */
const judged = { rules: [] as string[] };
/** The same of a read of what a server may show a little later. */
const judgedSoon = { ...judged, within: 3 };

const noun = ({ resource }: Context) => resource.name.replaceAll("-", " ");

/** What comes back of an own text, whatever a server made of the rest. */
const marked: Matcher = { contains: "{$unique.word}" };

/** A thing that is made, and shown to be kept: its own text comes back in the response or is read. Undefined if nothing can show that. */
function makeKept(
  context: Context,
  making: Partial<Making> = {},
): (Made & { readonly kept: readonly CallSource[] }) | undefined {
  const { document, resource } = context;
  const { create, read } = resource;
  const taken = making.taken ?? [];
  const made = makeThing(context, resource, { taken, ...making });
  const { own } = made.values;
  if (own === undefined || create === undefined) return undefined;
  const inRead = expectedIn(document, { sent: [{ ...own, matcher: marked }] }, read?.thing);
  if (read !== undefined && Object.keys(inRead).length > 0) {
    const kept = readStep(
      context,
      made,
      stepId("kept", taken),
      { precondition: true, outputs: { before: "" } },
      inRead,
    );
    return { ...made, kept: [kept] };
  }
  const echo = expectedIn(document, { sent: [{ ...own, matcher: marked }] }, create.thing);
  if (Object.keys(echo).length === 0 || making.expect !== undefined) return undefined;
  return { ...makeThing(context, resource, { ...making, taken: [], expect: () => echo }), kept: [] };
}

function readStep(
  { document, resource, callerOf }: Context,
  { params }: Pick<Made, "params">,
  id: string,
  more: Partial<CallSource>,
  expect: Readonly<Record<string, Matcher>>,
): CallSource {
  const read = resource.read as ResourceOperation;
  const { operation } = read;
  return {
    ...{ id, call: operation.operationId, ...callerOf(operation), with: required(document, read, params) },
    ...{ ...more, expect: { ...statusOf(read), ...expect } },
  };
}

/** The identity in what is read. Empty if the server may write it in another way. */
function identityIn({ resource: { create, read } }: Context, { id }: Pick<Made, "id">): Record<string, Matcher> {
  const isSame = create?.identity?.kind === "body" && create.thing !== undefined;
  return isSame && read?.thing !== undefined ? { [memberAt(read.thing, read.thing.key)]: id as Matcher } : {};
}

function createdIsRead(context: Context): DerivedWorkflow[] {
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
  const follow: CallSource = { id: "follow", request: { method: "GET", url: "$create.location" }, ...judged, expect };
  return draft(context, {
    ...{ name: "location", kind: "created-is-read", keeper: create, depth: "normal" },
    summary: "`Location` leads to what was created",
    steps: [...made.steps, ...made.kept, follow, ...made.removals],
  });
}

function listed(context: Context): DerivedWorkflow[] {
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

function removed(context: Context): DerivedWorkflow[] {
  const { resource, callerOf, document } = context;
  const { read, remove } = resource;
  const made = read && remove && makeKept(context);
  if (made === undefined || made.kept.length === 0 || remove === undefined) return [];
  const { operation } = remove;
  const removal: CallSource = {
    ...{
      id: "remove",
      call: operation.operationId,
      ...callerOf(operation),
      with: required(document, remove, made.params),
    },
    ...{ precondition: true, expect: statusOf(remove) },
  };
  // What is kept with a mark, such as a date of removal, differs from what it was.
  const gone = {
    ...readStep(context, made, "read", judgedSoon, {}),
    expect: { status: "any" as const, "": { not: { equals: "$kept.before" } } },
  };
  const [, ...others] = made.removals;
  return draft(context, {
    ...{ kind: "removed", keeper: remove, depth: "quick", summary: `What was removed of ${noun(context)} is gone` },
    steps: [...made.steps, ...made.kept, removal, gone, ...others],
  });
}

/** A call that changes a thing, with values of its own. */
function changeStep(
  { document, callerOf }: Context,
  { params }: Made,
  operation: ResourceOperation,
  values: Readonly<Record<string, unknown>>,
  id: string,
  more: Partial<CallSource> = { precondition: true },
): CallSource {
  const given = { ...required(document, operation, params), ...values };
  return {
    ...{ id, call: operation.operation.operationId, ...callerOf(operation.operation), with: given },
    ...{ expect: statusOf(operation), ...more },
  };
}

/** Whether an own text may be what the server makes the identity from, so that a change of it may be ignored. */
function mayIdentify({ document, resource: { read, parameter } }: Context, { own }: RequestValues): boolean {
  const schema = read && parametersOf(document, read.operation).find(({ name }) => name === parameter);
  const isNumber = schema !== undefined && plainType(document, parameterSchema(schema)) === "integer";
  return !isNumber && own !== undefined && /name|slug|login|handle|code|key|mail|id$/i.test(own.field);
}

/** The values of a body alone. */
function bodyOf(
  { document }: Context,
  { operation }: ResourceOperation,
  values: RequestValues,
): Record<string, unknown> {
  const fields = requestBodyOf(document, operation)?.fields.map(({ name }) => name) ?? [];
  return Object.fromEntries(Object.entries(values.with).filter(([name]) => fields.includes(name)));
}

function replaced(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, replace } = resource;
  const made = read && replace && makeKept(context);
  const values =
    replace &&
    requestValues(document, replace.operation, read?.thing, { suffix: "-replaced", except: read?.thing?.key ?? "" });
  if (made === undefined || replace === undefined || read === undefined || values?.own === undefined) return [];
  if (mayIdentify(context, values)) return [];
  const kind = "replaced";
  type Kept = Made & { readonly kept: readonly CallSource[] };
  const steps = (of: Kept, given: RequestValues, expect: Record<string, Matcher>) => [
    ...[...of.steps, ...of.kept, changeStep(context, of, replace, bodyOf(context, replace, given), "replace")],
    ...[readStep(context, of, "read", judged, expect), ...of.removals],
  ];
  const expected = expectedIn(document, values, read.thing);
  const whole = makeKept(context, { isFull: true });
  const lean = requestValues(document, replace.operation, read.thing, { suffix: "-replaced", isLean: true }) ?? values;
  const omitted = whole?.values.sent.filter(
    ({ name, schema, matcher }) => !(name in lean.with) && isTelling(schema, matcher) && schema.default === undefined,
  );
  const gone = Object.entries(expectedIn(document, { sent: omitted ?? [] }, read.thing)).map(([at, matcher]) => [
    at,
    { not: matcher },
  ]);
  return [
    ...draft(context, {
      kind,
      keeper: replace,
      depth: "normal",
      summary: "What replaced something is read back",
      steps: steps(made, values, expected),
    }),
    ...(whole === undefined || gone.length === 0
      ? []
      : draft(context, {
          ...{ name: "replaced-as-a-whole", kind, keeper: replace, depth: "normal" },
          summary: "What a replacement omits has no longer its former value",
          steps: steps(whole, lean, Object.fromEntries(gone)),
        })),
  ];
}

/** Whether a value is hardly a default. */
function isTelling({ enum: values, const: constant }: { enum?: unknown; const?: unknown }, matcher: Matcher): boolean {
  return (
    values === undefined && constant === undefined && matcher !== "" && matcher !== 0 && typeof matcher !== "boolean"
  );
}

function changed(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, change } = resource;
  const made = read && change && makeKept(context);
  if (made === undefined || change === undefined || read === undefined) return [];
  const fields = requestBodyOf(document, change.operation)?.fields ?? [];
  const own = made.values.own;
  const field = fields.find((one) => one.field === own?.field);
  if (own === undefined || field === undefined || mayIdentify(context, made.values)) return [];
  const patch = requestValues(document, change.operation, read.thing);
  const must = fields
    .filter(({ isRequired, name }) => isRequired && name !== field.name)
    .map(({ name }) => [name, patch?.with[name]]);
  const text = "{$unique.word}-changed";
  const changing = changeStep(context, made, change, { ...Object.fromEntries(must), [field.name]: text }, "change");
  const rest = made.values.sent.filter(({ name }) => name !== own.name && must.every(([other]) => other !== name));
  const expect = expectedIn(document, { sent: [{ ...own, matcher: text }, ...rest] }, read.thing);
  return draft(context, {
    ...{ kind: isMergePatch(change) ? "merged" : "changed", keeper: change, depth: "normal" },
    summary: "A change leaves what it does not name",
    steps: [...made.steps, ...made.kept, changing, readStep(context, made, "read", judged, expect), ...made.removals],
  });
}

function refused(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, change, replace } = resource;
  const changing = change ?? replace;
  const made = read && changing && makeKept(context);
  const body = changing && requestBodyOf(document, changing.operation);
  if (made === undefined || changing === undefined || read === undefined || body?.form !== "json") return [];
  const own = body.fields.find(({ field }) => field === made.values.own?.field);
  const broken = body.fields.find(
    ({ name, schema }) => name !== own?.name && isScalarType(plainType(document, schema)),
  );
  const values = requestValues(document, changing.operation, read.thing, { suffix: "-refused" });
  if (own === undefined || broken === undefined || values === undefined) return [];
  const given = changing === change ? {} : bodyOf(context, changing, values);
  const wrong = { ...given, [own.name]: "{$unique.word}-refused", [broken.name]: { accord: ["wrong"] } };
  const refusal = changeStep(context, made, changing, wrong, "refused", {
    precondition: true,
    expect: { status: "4XX" },
  });
  const expect = expectedIn(document, made.values, read.thing);
  return draft(context, {
    ...{ kind: "refused-changes-nothing", keeper: changing, depth: "normal" },
    summary: `A change with a wrong \`${broken.name}\` changes nothing else`,
    steps: [...made.steps, ...made.kept, refusal, readStep(context, made, "read", judged, expect), ...made.removals],
  });
}

function isScalarType(type: unknown): boolean {
  return type === "string" || type === "integer" || type === "number" || type === "boolean";
}

function repeated(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { create, read, replace } = resource;
  const key = create && headerOf(document, create, idempotencyKey);
  if (create !== undefined && key !== undefined) {
    const scalar = Object.entries(create.thing?.shape.properties ?? membersOfSuccess(context, create)).find(
      ([name, schema]) => isScalarType(plainType(document, schema)) && hasMember(document, create.success.schema, name),
    );
    if (scalar === undefined) return [];
    const at = `${create.thing?.at ?? ""}/${escapeKey(scalar[0])}`;
    const made = makeThing(context, resource, { taken: [], outputs: { first: at } });
    const index = made.steps.length - 1;
    const first = made.steps[index] as CallSource;
    const withKey = { ...first, with: { ...first.with, [key]: "{$unique.word}-{$unique.word}" } };
    const { precondition: _, outputs: __, ...call } = withKey;
    const again = { ...call, id: "again", ...judged, expect: { ...first.expect, [at]: "$create.first" } };
    return draft(context, {
      ...{
        kind: "idempotent",
        keeper: create,
        depth: "normal",
        summary: `A request that is repeated with its \`${key}\` makes nothing new`,
      },
      steps: [...made.steps.slice(0, index), withKey, again, ...made.removals],
    });
  }
  const made = read && replace && makeKept(context);
  const values =
    replace &&
    requestValues(document, replace.operation, read?.thing, { suffix: "-again", except: read?.thing?.key ?? "" });
  if (made === undefined || replace === undefined || values?.own === undefined || mayIdentify(context, values))
    return [];
  const put = (id: string, more: Partial<CallSource>) =>
    changeStep(context, made, replace, bodyOf(context, replace, values), id, more);
  const last = readStep(context, made, "read", judged, expectedIn(document, values, read?.thing));
  return draft(context, {
    ...{
      kind: "idempotent",
      keeper: replace,
      depth: "normal",
      summary: "A replacement that is repeated has the effect of one",
    },
    steps: [
      ...made.steps,
      ...made.kept,
      put("replace", { precondition: true }),
      put("again", judged),
      last,
      ...made.removals,
    ],
  });
}

function membersOfSuccess({ document }: Context, { success }: ResourceOperation) {
  return plainSchema(document, success.schema)?.properties ?? {};
}

/** What others, and other parents, do not reach. */
function guarded(context: Context): DerivedWorkflow[] {
  const { resource, hasOther, callerOf } = context;
  const { create, read } = resource;
  if (create === undefined || read === undefined) return [];
  const made = makeKept(context);
  if (made === undefined) return [];
  const refusal = { ...judged, expect: { status: "4XX" as const } };
  const byOther = { ...readStep(context, made, "read-as-other", {}, {}), as: "other", ...refusal };
  const others =
    hasOther && callerOf(read.operation).as === undefined && callerOf(create.operation).as === undefined
      ? draft(context, {
          ...{ kind: "not-for-others" as const, keeper: create, depth: "normal" as const },
          summary: `What one account made of ${noun(context)}, another does not read`,
          steps: [...made.steps, ...made.kept, byOther, ...made.removals],
        })
      : [];
  return [...others, ...childOfParent(context)];
}

function childOfParent(context: Context): DerivedWorkflow[] {
  const { document, resource, all } = context;
  const [, path = "", parameter = ""] = /^(.*)\/\{([^{}]+)\}\/[^{}]*$/.exec(resource.path) ?? [];
  const parent = all.find((one) => one.path === path && one !== resource);
  if (parent?.create?.identity === undefined || resource.read === undefined) return [];
  const taken: string[] = [];
  const first = makeKept(context, { taken });
  if (first === undefined || first.kept.length === 0) return [];
  const outer = prepareOuter(context, parent, taken);
  const second = makeThing(context, parent, { taken, isParent: true, outer, suffix: "-other" });
  const params = { ...first.params, [parameter]: second.id };
  const refusal: Partial<CallSource> = { ...judged, expect: { status: "4XX" } };
  const elsewhere = { ...readStep({ ...context, document }, { params }, "read-elsewhere", {}, {}), ...refusal };
  return draft(context, {
    ...{ kind: "child-of-parent", keeper: resource.read, depth: "normal" },
    summary: `Something of ${noun(context)} is not found below another of ${parent.name}`,
    steps: [
      ...first.steps,
      ...outer.steps,
      ...second.steps,
      ...first.kept,
      elsewhere,
      ...first.removals,
      ...second.removals,
      ...outer.removals,
    ],
  });
}

function concurrent(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, change, replace } = resource;
  const changing = change ?? replace;
  const header = changing && headerOf(document, changing, ifMatch);
  const isTagged = read?.success.headers.some((name) => name.toLowerCase() === "etag");
  const made = isTagged && header !== undefined ? makeKept(context) : undefined;
  const values = changing && requestValues(document, changing.operation, read?.thing);
  if (made === undefined || changing === undefined || header === undefined || values === undefined) return [];
  const field = requestBodyOf(document, changing.operation)?.fields.find((one) => one.field === made.values.own?.field);
  if (field === undefined) return [];
  const given = changing === change ? {} : bodyOf(context, changing, values);
  const by = (id: string, text: string, more: Partial<CallSource>) =>
    changeStep(
      context,
      made,
      changing,
      { ...given, [field.name]: `{$unique.word}-${text}`, [header]: "$tagged.etag" },
      id,
      more,
    );
  const tagged = readStep(
    context,
    made,
    "tagged",
    { precondition: true, outputs: { etag: { at: "header ETag", optional: true } } },
    {},
  );
  const isOther: CallSource = {
    ...readStep(context, made, "differs", { precondition: true }, {}),
    expect: {
      ...statusOf(read as ResourceOperation),
      headers: { ETag: { all: [{ matches: '^"' }, { not: "$tagged.etag" }] } },
    },
  };
  return draft(context, {
    ...{ kind: "concurrent", keeper: changing, depth: "normal", summary: "A change of a former version is refused" },
    steps: [
      ...[...made.steps, ...made.kept, tagged, by("change", "first", { precondition: true }), isOther],
      ...[by("stale", "second", { ...judged, expect: { status: 412 } }), ...made.removals],
    ],
  });
}
