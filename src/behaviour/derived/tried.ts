import type { Depth } from "../../contract/check.js";
import type { OperationObject, Schema } from "../../contract/rest/document.js";
import { impliedRules } from "../../contract/rest/implied-rules.js";
import { listOperations, parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import { type BodyField, requestBodyOf } from "../../contract/rest/request-body.js";
import type { ResourceOperation } from "../../contract/rest/resources/find-resources.js";
import { kebab } from "../../contract/rest/resources/names.js";
import { plainSchema, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource } from "../workflow-source.js";
import { type Made, makeThing, required, stepId, withOf } from "./make-things.js";
import { madeValue, requestValues } from "./request-values.js";
import { bodyOf, type Context, type DerivedWorkflow, noun } from "./workflow-parts.js";

/** How many values are tried alone, beside the request with all of them, by depth. */
const maxTriedAlone = { normal: 8, thorough: 40 };

/** A value that a request may have besides the least. */
interface Addition {
  readonly label: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly depth: Depth;
}

/**
 * Requests of other forms, since a server may refuse the least request that a document allows: with all optional values, and with each
 * alone. A refusal shows nothing; the responses are compared with the document.
 */
export function tried(context: Context): DerivedWorkflow[] {
  const { replace, change } = context.resource;
  return [
    ...createdWith(context),
    ...[replace, change].flatMap((one) => (one ? changedWith(context, one) : [])),
    ...acted(context),
  ];
}

/** Makes one thing after the other, each with a value more than the least. */
function createdWith(context: Context): DerivedWorkflow[] {
  const { resource } = context;
  const { create } = resource;
  const rule = create && responseRule(create.operation);
  if (create === undefined || rule === undefined) return [];
  const plain = makeThing(context, resource, { taken: [] });
  const whole = makeThing(context, resource, { taken: [], isFull: true });
  const before = Object.keys(plain.values.with);
  const least: Addition[] = resource.read === undefined ? [{ label: "the-least", values: {}, depth: "normal" }] : [];
  const full = Object.keys(whole.values.with).length > before.length ? [fully(whole.values.with)] : [];
  return [...least, ...full, ...additions(context, create, before)].map(({ label, values, depth }) => {
    const made = makeThing(context, resource, { taken: [] });
    const step = { ...made.step, with: { ...made.step.with, ...values } };
    return {
      ...{ id: `${resource.name}-created-with-${label}`, kind: "response", depth },
      operationId: create.operation.operationId,
      source: {
        summary: `A request that creates ${noun(context)} with ${label.replaceAll("-", " ")} is answered as documented`,
        rules: [rule],
        steps: [...made.steps.slice(0, -1), step, ...made.removals],
      },
    };
  });
}

/** Changes one thing again and again. */
function changedWith(context: Context, changing: ResourceOperation): DerivedWorkflow[] {
  const { document, resource } = context;
  const { operation, method } = changing;
  const rule = responseRule(operation);
  if (rule === undefined || resource.create === undefined) return [];
  const made: Made = makeThing(context, resource, { taken: [] });
  const read = resource.read?.thing;
  const least = bodyOf(context, changing, requestValues(document, operation, read, { isLean: true }) ?? noValues);
  const whole = bodyOf(context, changing, requestValues(document, operation, read, { isFull: true }) ?? noValues);
  const full = Object.keys(whole).length > Object.keys(least).length ? [fully(whole)] : [];
  const found = [...full, ...additions(context, changing, Object.keys(least))];
  const flow = (depth: Depth): DerivedWorkflow[] => {
    const ofDepth = found.filter((one) => one.depth === depth);
    const steps = ofDepth.map(
      ({ label, values }): CallSource => ({
        ...{ id: `with-${label}`, call: operation.operationId, ...context.callerOf(operation) },
        ...withOf({ ...required(document, changing, made.params), ...least, ...values }),
        ...{ rules: [rule], expect: { status: "any" } },
      }),
    );
    if (steps.length === 0) return [];
    const id = `${resource.name}-${method}-tried${depth === "normal" ? "" : "-in-depth"}`;
    const summary = `Requests that change ${noun(context)} in several ways are answered as documented`;
    return [
      {
        ...{ id, kind: "response", operationId: operation.operationId, depth },
        source: { summary, steps: [...made.steps, ...steps, ...made.removals] },
      },
    ];
  };
  return [...flow("normal"), ...flow("thorough")];
}

/**
 * Calls what is below the path of a thing and lists nothing, such as `/orders/{id}/cancel`: with a thing of each kind that a list of values
 * names, and what a description says of that kind, since an action may be for some only.
 */
function acted(context: Context): DerivedWorkflow[] {
  const { document, resource, all } = context;
  const { create, itemPath = "" } = resource;
  if (itemPath === "" || create?.identity === undefined) return [];
  const paths = new Set(all.flatMap((one) => [one.path, one.itemPath ?? ""]));
  const actions = listOperations(document).filter(
    ({ path, operation }) =>
      path.startsWith(`${itemPath}/`) &&
      !path.slice(itemPath.length).includes("{") &&
      !paths.has(path) &&
      responseRule(operation) !== undefined,
  );
  const fields = requestBodyOf(document, create.operation)?.fields ?? [];
  if (actions.length === 0) return [];
  const kinds = fields.flatMap(({ name, schema }) =>
    (plainSchema(document, schema)?.enum ?? []).slice(0, 5).map((value) => ({ name, value })),
  );
  const flow = (label: string, values: Readonly<Record<string, unknown>>, depth: Depth): DerivedWorkflow[] => {
    const made = makeThing(context, resource, { taken: [], override: values });
    const steps = actions.flatMap(({ path, method, operation }): CallSource[] => {
      const given = requestValues(document, operation, undefined);
      const rule = responseRule(operation);
      if (given === undefined || rule === undefined) return [];
      const own = Object.fromEntries(Object.entries(made.params).filter(([name]) => path.includes(`{${name}}`)));
      return [
        {
          ...{ id: `${method}-${kebab(path.slice(itemPath.length))}`, call: operation.operationId },
          ...{ ...context.callerOf(operation), ...withOf({ ...given.with, ...own }) },
          ...{ rules: [rule], expect: { status: "any" } },
        },
      ];
    });
    const [first] = actions;
    return [
      {
        ...{ id: `${resource.name}-acted-on${label}`, kind: "response", depth },
        operationId: first?.operation.operationId ?? "",
        source: {
          summary: `What is done with ${noun(context)} is answered as documented`,
          steps: [...made.steps, ...steps, ...made.removals],
        },
      },
    ];
  };
  const ofKinds = kinds.slice(0, maxTriedAlone.normal).flatMap(({ name, value }) => {
    const named = fields.filter(({ schema: { description = "" } }) =>
      [`“${value}”`, `"${value}"`, `\`${value}\``, `'${value}'`].some((quoted) => description.includes(quoted)),
    );
    const others = named.filter((one) => one.name !== name && one.schema.readOnly !== true);
    const given = others.map((one) => [one.name, madeValue(document, one.name, one.schema, undefined)]);
    return flow(`-as-${kebab(`${name} ${value}`)}`, { [name]: value, ...Object.fromEntries(given) }, "normal");
  });
  return kinds.length === 0 ? flow("", {}, "normal") : ofKinds;
}

const noValues = { with: {}, sent: [] };

function responseRule({ operationId, "x-rules": rules = [] }: OperationObject): string | undefined {
  const { response } = impliedRules(operationId);
  return rules.some(({ id, untestable }) => id === response && untestable === undefined) ? response : undefined;
}

function fully(values: Addition["values"]): Addition {
  return { label: "all-members", values, depth: "normal" };
}

/** Each value that a request may have besides those that it has: those first whose values are surest. */
function additions(context: Context, to: ResourceOperation, before: readonly string[]): Addition[] {
  const { document, resource } = context;
  const { operation } = to;
  const body = requestBodyOf(document, operation);
  const fields = body === undefined || body.form === "multipart" || body.form === "raw" ? [] : body.fields;
  const own = resource.create?.identity?.kind === "sent" ? undefined : resource.read?.thing?.key;
  const ofBody = fields.flatMap(({ name, field, schema }: BodyField) =>
    field === undefined || field === own || before.includes(name) || schema.deprecated === true
      ? []
      : valuesOf(context, name, schema, false),
  );
  const flags = parametersOf(document, operation).filter(({ in: place, required: must }) => place === "query" && !must);
  const ofQuery = flags.flatMap((one) => valuesOf(context, one.name, parameterSchema(one), true));
  const all = [...ofQuery, ...ofBody].sort((one, other) => one.doubt - other.doubt);
  const taken: string[] = [];
  return all.slice(0, maxTriedAlone.thorough).map(({ name, value, doubt }, index) => ({
    label: stepId(kebab(doubt < 2 ? `${name} ${value}` : name), taken),
    values: { [name]: value },
    depth: index < maxTriedAlone.normal ? "normal" : "thorough",
  }));
}

interface Candidate {
  readonly name: string;
  readonly value: unknown;
  /** How likely a server wants another value. */
  readonly doubt: number;
}

/** The values of a member that are tried. Of a query, only those that the document lists. */
function valuesOf({ document }: Context, name: string, given: Schema, isQuery: boolean): Candidate[] {
  const schema = plainSchema(document, given) ?? given;
  const type = plainType(document, schema);
  const candidate = (value: unknown, doubt: number): Candidate[] =>
    value === undefined ? [] : [{ name, value, doubt }];
  if (type === "boolean") return candidate(schema.default !== true, 0);
  if (Array.isArray(schema.enum)) return schema.enum.slice(0, 5).flatMap((value) => candidate(value, 1));
  if (isQuery) return [];
  if (type === "array" && Number(schema.minItems ?? 0) === 0) return candidate([], 2);
  return candidate(madeValue(document, name, schema, undefined), type === "string" ? 3 : 4);
}
