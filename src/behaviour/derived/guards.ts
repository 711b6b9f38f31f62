import type { CallSource } from "../workflow-source.js";
import { makeThing, prepareOuter, required } from "./make-things.js";

import { type Context, type DerivedWorkflow, draft, judged, makeKept, noun, readStep } from "./workflow-parts.js";
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
  const others =
    hasOther && callerOf(read.operation).as === undefined && callerOf(create.operation).as === undefined
      ? draft(context, {
          ...{ kind: "not-for-others" as const, keeper: create, depth: "normal" as const },
          summary: `What one account made of ${noun(context)}, another neither reads nor removes`,
          steps: [...made.steps, ...made.kept, ...byOther, ...made.removals],
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
