import type { Matcher } from "../../contract/matcher.js";
import { leavesOf } from "../../contract/rest/alternatives.js";
import { parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import { type BodyField, requestBodyOf } from "../../contract/rest/request-body.js";
import { headerOf, type ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import { escapeKey, plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource } from "../workflow-source.js";
import { idempotencyKey, ifMatch, isJsonPatch, isMergePatch } from "./derived-rules.js";
import { makeThing, required, statusOf } from "./make-things.js";
import { expectedIn, hasMember, type RequestValues, requestValues } from "./request-values.js";

import {
  bodyOf,
  type Context,
  changeStep,
  type DerivedWorkflow,
  draft,
  isScalarType,
  isTelling,
  judged,
  judgedSoon,
  type Kept,
  makeKept,
  noun,
  readStep,
} from "./workflow-parts.js";

/** What was removed is gone. */
export function removed(context: Context): DerivedWorkflow[] {
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
  const { precondition: _, ...removing } = removal;
  // Whether it may be removed again is open; where the document tells how that is refused, the response is as documented.
  const isTold = ["404", "410", "4XX", "default"].some((status) => status in operation.responses);
  const again: CallSource[] = isTold ? [{ ...removing, id: "again", ...judged, expect: { status: "any" } }] : [];
  return [
    ...draft(context, {
      ...{ kind: "removed", keeper: remove, depth: "quick", summary: `What was removed of ${noun(context)} is gone` },
      steps: [...made.steps, ...made.kept, removal, gone, ...again, ...others],
    }),
    ...removedFromList(context, made, removal, others),
  ];
}

/** What was removed is no longer listed as it was read. */
function removedFromList(
  context: Context,
  made: Kept,
  removal: CallSource,
  others: readonly CallSource[],
): DerivedWorkflow[] {
  const { document, resource, callerOf } = context;
  const { list, remove } = resource;
  if (list === undefined || list.listed.key === "") return [];
  const { operation, listed } = list;
  const as = { includes: { equals: `$kept.before${resource.read?.thing?.at.replaceAll("/", ".") ?? ""}` } };
  const step = (id: string, more: Partial<CallSource>, matcher: Matcher): CallSource => ({
    ...{
      id,
      call: operation.operationId,
      ...callerOf(operation),
      with: required(document, list, made.params),
      ...more,
    },
    ...{ within: 3, expect: { ...statusOf(list), [listed.at]: matcher } },
  });
  return draft(context, {
    ...{ name: "removed-from-list", kind: "removed", keeper: remove, depth: "normal" },
    summary: `What was removed of ${noun(context)} is no longer listed`,
    steps: [
      ...[...made.steps, ...made.kept, step("listed", { precondition: true }, as)],
      ...[removal, step("list", judged, { not: as }), ...others],
    ],
  });
}

/** Whether an own text may be what the server makes the identity from, so that a change of it may be ignored. */
function mayIdentify({ document, resource: { read, parameter } }: Context, { own }: RequestValues): boolean {
  const schema = read && parametersOf(document, read.operation).find(({ name }) => name === parameter);
  const isNumber = schema !== undefined && plainType(document, parameterSchema(schema)) === "integer";
  return !isNumber && own !== undefined && /name|slug|login|handle|code|key|mail|id$/i.test(own.field);
}

/** What replaced something is read back, and nothing else of it. */
export function replaced(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, replace } = resource;
  const made = read && replace && makeKept(context);
  const values =
    replace &&
    requestValues(document, replace.operation, read?.thing, { suffix: "-replaced", except: read?.thing?.key ?? "" });
  if (made === undefined || replace === undefined || read === undefined || values?.own === undefined) return [];
  if (mayIdentify(context, values)) return [];
  const kind = "replaced";
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

/** A patch leaves what it does not name. */
export function changed(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, change } = resource;
  const made = read && change && makeKept(context);
  if (made === undefined || change === undefined || read === undefined) return [];
  const body = requestBodyOf(document, change.operation);
  const { fields = [] } = body ?? {};
  const own = made.values.own;
  if (body !== undefined && isJsonPatch(body)) return patched(context, change, made);
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
  const kind = isMergePatch(change) ? "merged" : "changed";
  const flow = (name: string, summary: string, steps: readonly CallSource[]) =>
    draft(context, { name, kind, keeper: change, depth: "normal", summary, steps });
  const after = readStep(context, made, "read", judged, expect);
  return [
    ...flow(kind, "A change leaves what it does not name", [
      ...made.steps,
      ...made.kept,
      changing,
      after,
      ...made.removals,
    ]),
    ...(kind === "merged" ? unset(context, change, fields, flow) : []),
  ];
}

/** A JSON patch. Its paths lead into the thing, so the thing must be the whole of what is read. */
function patched(context: Context, change: ResourceOperation, made: Kept): DerivedWorkflow[] {
  const { document, resource } = context;
  const { own, sent } = made.values;
  const [whole] = requestBodyOf(document, change.operation)?.fields ?? [];
  if (own === undefined || whole === undefined || resource.read?.thing?.at !== "" || mayIdentify(context, made.values))
    return [];
  const path = `/${escapeKey(own.field)}`;
  const replacing = { op: "replace", path, value: "{$unique.word}-patched" };
  const flow = (name: string, summary: string, change: CallSource, expected: Matcher): DerivedWorkflow[] => {
    const all = [{ ...own, matcher: expected }, ...sent.filter(({ name: other }) => other !== own.name)];
    const after = readStep(context, made, "read", judged, expectedIn(document, { sent: all }, resource.read?.thing));
    const steps = [...made.steps, ...made.kept, change, after, ...made.removals];
    return draft(context, { name, kind: "patched", keeper: resource.change, depth: "normal", summary, steps });
  };
  const step = (operations: readonly object[], more: Partial<CallSource>) =>
    changeStep(context, made, change, { [whole.name]: operations }, "change", { precondition: true, ...more });
  const failing = { op: "test", path, value: "{$unique.word}-other" };
  const refusal = step([replacing, failing], { expect: { status: "4XX" } });
  return [
    ...flow("patched", "A JSON patch leaves what it does not name", step([replacing], {}), replacing.value),
    ...flow("patched-as-a-whole", "A JSON patch of which an operation fails changes nothing", refusal, own.matcher),
  ];
}

/** A merge patch with null. What a server has by default may take the place of the former value. */
function unset(
  context: Context,
  change: ResourceOperation,
  fields: readonly BodyField[],
  flow: (name: string, summary: string, steps: readonly CallSource[]) => DerivedWorkflow[],
): DerivedWorkflow[] {
  const { document, resource } = context;
  const whole = makeKept(context, { isFull: true });
  const mayBeNull = ({ schema }: BodyField) =>
    leavesOf(document, schema).some(({ type }) => [type ?? []].flat().includes("null"));
  const nullable = fields.filter((one) => !one.isRequired && mayBeNull(one));
  const former = whole?.values.sent.find(
    ({ field, schema, matcher }) => isTelling(schema, matcher) && nullable.some((one) => one.field === field),
  );
  if (whole === undefined || former === undefined) return [];
  const name = nullable.find((one) => one.field === former.field)?.name ?? former.name;
  const removing = changeStep(context, whole, change, { [name]: null }, "change");
  const gone = expectedIn(document, { sent: [{ ...former, matcher: { not: former.matcher } }] }, resource.read?.thing);
  const read = readStep(context, whole, "read", judged, gone);
  return flow("merged-null", `Null removes \`${former.field}\``, [
    ...[...whole.steps, ...whole.kept, removing, read, ...whole.removals],
  ]);
}

/** A repeated request has the effect of one. */
export function repeated(context: Context): DerivedWorkflow[] {
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

/** A change of a former version is refused. */
export function concurrent(context: Context): DerivedWorkflow[] {
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
