import type { Matcher } from "../../contract/matcher.js";
import { requestBodyOf } from "../../contract/rest/request-body.js";
import type { CallSource } from "../workflow-source.js";
import { makeThing, prepareOuter, required, statusOf } from "./make-things.js";
import { requestValues } from "./request-values.js";

import {
  bodyOf,
  type Context,
  changeStep,
  type DerivedWorkflow,
  draft,
  judged,
  type Kept,
  makeKept,
  noun,
  readStep,
} from "./workflow-parts.js";
/** What others, and other parents, do not reach. */
export function guarded(context: Context): DerivedWorkflow[] {
  const { resource, hasOther, callerOf } = context;
  const { create, read } = resource;
  if (create === undefined || read === undefined) return [];
  const made = makeKept(context);
  if (made === undefined) return [];
  const refusal = { ...judged, expect: { status: "4XX" as const } };
  const { remove } = resource;
  const byOther: CallSource[] = [{ ...readStep(context, made, "read-as-other", {}, {}), as: "other", ...refusal }];
  if (remove !== undefined && callerOf(remove.operation).as === undefined)
    byOther.push({
      ...{ id: "remove-as-other", call: remove.operation.operationId, as: "other" },
      ...{ with: required(context.document, remove, made.params), ...refusal },
    });
  const isOfAccounts = [read, create].every(({ operation }) => callerOf(operation).as === undefined);
  if (!hasOther || !isOfAccounts) return childOfParent(context);
  const kind = "not-for-others";
  const flow = (name: string, what: string, steps: readonly CallSource[]) =>
    draft(context, {
      ...{ name, kind, keeper: create, depth: "normal" },
      summary: `What one account made of ${noun(context)}, another ${what}`,
      steps: [...made.steps, ...made.kept, ...steps, ...made.removals],
    });
  return [
    ...flow(kind, "neither reads nor removes", byOther),
    ...flow("not-changed-by-others", "does not change", changeByOther(context, made)),
    ...flow("not-listed-for-others", "does not list", listForOther(context, made)),
    ...childOfParent(context),
  ];
}

function changeByOther(context: Context, made: Kept): CallSource[] {
  const { document, resource, callerOf } = context;
  const { read, change, replace } = resource;
  const changing = change ?? replace;
  const { own } = made.values;
  const values = changing && requestValues(document, changing.operation, read?.thing, { suffix: "-by-other" });
  if (changing === undefined || values === undefined || callerOf(changing.operation).as !== undefined) return [];
  const fields = requestBodyOf(document, changing.operation)?.fields ?? [];
  const needed = new Set(fields.filter(({ field, isRequired }) => isRequired || field === own?.field).map(nameOf));
  const body = Object.entries(bodyOf(context, changing, values)).filter(
    ([name]) => change === undefined || needed.has(name),
  );
  if (body.length === 0) return [];
  const refusal = { ...judged, expect: { status: "4XX" as const } };
  return [
    { ...changeStep(context, made, changing, Object.fromEntries(body), "change-as-other", refusal), as: "other" },
  ];
}

const nameOf = ({ name }: { readonly name: string }) => name;

function listForOther({ document, resource: { list }, callerOf }: Context, made: Kept): CallSource[] {
  if (list === undefined || list.listed.key === "" || callerOf(list.operation).as !== undefined) return [];
  const own: Matcher = { includes: { at: { [list.listed.key]: made.id as Matcher } } };
  return [
    {
      ...{ id: "list-as-other", call: list.operation.operationId, as: "other", ...judged },
      with: required(document, list, made.params),
      expect: { ...statusOf(list), [list.listed.at]: { not: own } },
    },
  ];
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
