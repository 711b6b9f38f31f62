import type { Depth } from "../../contract/check.js";
import type { Matcher } from "../../contract/matcher.js";
import { requestBodyOf } from "../../contract/rest/request-body.js";
import type { Resource, ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import type { CallSource, WorkflowSource } from "../workflow-source.js";
import { type DerivedKind, derivedRuleId } from "./derived-rules.js";
import {
  type Made,
  type Making,
  makeThing,
  memberAt,
  type Resources,
  required,
  statusOf,
  stepId,
} from "./make-things.js";
import { expectedIn, type RequestValues } from "./request-values.js";

/** A workflow that follows from a document. */
export interface DerivedWorkflow {
  readonly id: string;
  /** The rule that it shows: one about the resource, or that the operation answers as documented. */
  readonly kind: DerivedKind | "response";
  /** The operation that keeps or breaks the rule. */
  readonly operationId: string;
  /** The least depth of a run that has it. */
  readonly depth: Depth;
  readonly source: Omit<WorkflowSource, "as">;
}

/** A resource, and what its workflows are derived from. */
export interface Context extends Resources {
  readonly resource: Resource;
  /** Whether there may be an account of somebody else. */
  readonly hasOther: boolean;
}

/** A thing that is made, and the steps that show that the server keeps it. */
export type Kept = Made & { readonly kept: readonly CallSource[] };

/** A workflow before it has its id and rule. */
export type Draft = Omit<DerivedWorkflow, "id" | "kind" | "operationId" | "source"> & {
  readonly name?: string;
  readonly summary: string;
  readonly kind: DerivedKind;
  readonly keeper: ResourceOperation | undefined;
  readonly steps: readonly CallSource[];
};

/** Finishes a workflow, unless no operation could keep or break its rule. */
export function draft({ resource }: Context, { name, kind, keeper, summary, steps, depth }: Draft): DerivedWorkflow[] {
  if (keeper === undefined || steps.every((step) => step.rules === undefined)) return [];
  const rules = [derivedRuleId(resource, kind)];
  const marked = steps.map((step) => ("rules" in step ? { ...step, rules } : step));
  const id = `${resource.name}-${name ?? kind}`;
  return [{ id, kind, depth, operationId: keeper.operation.operationId, source: { summary, steps: marked } }];
}

/** Says that a step shows the rule of its workflow. */
export const judged = { rules: [] as string[] };
/** The same of a read of what a server may show a little later. */
export const judgedSoon = { ...judged, within: 3 };

/** What summaries call the things of a resource. */
export const noun = ({ resource }: Context) => resource.name.replaceAll("-", " ");

/** What comes back of an own text, whatever a server made of the rest. */
export const marked: Matcher = { contains: "{$unique.word}" };

/** A thing that is made, and shown to be kept: its own text comes back in the response or is read. Undefined if nothing can show that. */
export function makeKept(context: Context, making: Partial<Making> = {}): Kept | undefined {
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

/** A read of a thing. */
export function readStep(
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
export function identityIn({ resource: { create, read } }: Context, { id }: Pick<Made, "id">): Record<string, Matcher> {
  const isSame = create?.identity?.kind === "body" && create.thing !== undefined;
  return isSame && read?.thing !== undefined ? { [memberAt(read.thing, read.thing.key)]: id as Matcher } : {};
}

/** A call that changes a thing, with values of its own. */
export function changeStep(
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

/** The values of a body alone. */
export function bodyOf(
  { document }: Context,
  { operation }: ResourceOperation,
  values: RequestValues,
): Record<string, unknown> {
  const fields = requestBodyOf(document, operation)?.fields.map(({ name }) => name) ?? [];
  return Object.fromEntries(Object.entries(values.with).filter(([name]) => fields.includes(name)));
}

/** Whether a value is hardly a default. */
export function isTelling(
  { enum: values, const: constant }: { enum?: unknown; const?: unknown },
  matcher: Matcher,
): boolean {
  return (
    values === undefined && constant === undefined && matcher !== "" && matcher !== 0 && typeof matcher !== "boolean"
  );
}

/** Whether a type has no parts. */
export function isScalarType(type: unknown): boolean {
  return type === "string" || type === "integer" || type === "number" || type === "boolean";
}
