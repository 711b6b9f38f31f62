import { literals } from "../../contract/expressions.js";
import type { Matcher } from "../../contract/matcher.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import type { ContractDocument, OperationObject } from "../../contract/rest/document.js";
import { exampleRequest } from "../../contract/rest/example-cases.js";
import { parametersOf } from "../../contract/rest/operations.js";
import { type Resource, type ResourceOperation, title } from "../../contract/rest/resources/find-resources.js";
import { plainName, singular } from "../../contract/rest/resources/names.js";
import { escapeKey } from "../../contract/rest/resources/shapes.js";
import type { CallSource } from "../workflow-source.js";
import { type RequestValues, requestValues, type Wanted } from "./request-values.js";

/** What workflows are derived from. */
export interface Resources {
  readonly document: ContractDocument;
  readonly all: readonly Resource[];
  /** The caller of an operation, if it is not that of the workflow. */
  readonly callerOf: (operation: OperationObject) => Pick<CallSource, "as">;
}

/** What there is for a request: the steps that made or found it, the values of its path, and the steps that remove it. */
export interface Prepared {
  readonly steps: readonly CallSource[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Children before parents. */
  readonly removals: readonly CallSource[];
}

/** A thing that a workflow makes. */
export interface Made extends Prepared {
  /** The call that makes it. */
  readonly step: CallSource;
  /** What was sent. */
  readonly values: RequestValues;
  /** Its identity, as a value or expression. */
  readonly id: unknown;
}

/** Something that a workflow needs and cannot make. */
export class MissingThing extends Error {
  override readonly name = "MissingThing";
}

const nothing: Prepared = { steps: [], params: {}, removals: [] };

/** Makes or finds what the path of a resource names. Throws a `MissingThing`. `taken` are the ids of earlier steps. */
export function prepareOuter(resources: Resources, resource: Resource, taken: string[] = []): Prepared {
  return [...resource.path.matchAll(/\{([^{}]+)\}/g)].reduce((before, { 1: parameter = "", index }) => {
    const path = resource.path.slice(0, index).replace(/\/$/, "");
    const parent = resources.all.find((one) => one.path === path && one !== resource);
    return join(before, prepareOne(resources, parent, { parameter, path, before, user: resource, taken }));
  }, nothing);
}

interface Need {
  readonly parameter: string;
  readonly path: string;
  readonly before: Prepared;
  readonly user: Resource;
  readonly taken: string[];
}

function prepareOne(resources: Resources, parent: Resource | undefined, need: Need): Prepared {
  const { parameter, path, before, user, taken } = need;
  const { values = {} } = conventionsOf(resources.document);
  const given = values[`${path}/{${parameter}}`] ?? values[parameter];
  if (given !== undefined) return { ...nothing, params: { [parameter]: literals(given) } };
  if (parent?.create?.identity !== undefined && parent.parameter !== undefined) {
    const { steps, id, removals } = makeThing(resources, parent, { taken, outer: before, isParent: true });
    return { steps, params: { [parameter]: id }, removals };
  }
  if (parent?.list !== undefined) return findFirst(resources, parent, { params: before.params, parameter, taken });
  const operation = (user.create ?? user.list ?? user.read)?.operation;
  const example = operation && exampleRequest(resources.document, operation);
  const isNamed = example?.guesses[parameter]?.isMadeUp === false;
  if (isNamed) return { ...nothing, params: { [parameter]: literals(example.request.path[parameter]) } };
  throw new MissingThing(`no way to make or find a \`${parameter}\`: give --value ${parameter}=…`);
}

/** Takes the first thing that is listed. */
function findFirst(
  { document, callerOf }: Resources,
  { name, list }: Resource,
  { params, parameter, taken }: Pick<Prepared, "params"> & { readonly parameter: string; readonly taken: string[] },
): Prepared {
  if (list === undefined) return nothing;
  const id = stepId(`find-${name}`, taken);
  const { operation, listed } = list;
  const place = `${listed.at}/0${listed.key}`;
  const step: CallSource = {
    ...{ id, call: operation.operationId, ...callerOf(operation) },
    ...{
      with: required(document, list, params),
      precondition: true,
      expect: statusOf(list),
      outputs: { id: { at: place, optional: true } },
    },
  };
  return { ...nothing, steps: [step], params: { [parameter]: `$${id}.id` } };
}

/** How to make a thing. */
export interface Making extends Wanted {
  readonly taken: string[];
  /** What its path names. Defaults to what has to be made or found for it. */
  readonly outer?: Prepared;
  /** Whether it is only there for something below it. */
  readonly isParent?: boolean;
  /** Values in place of those that would be sent. */
  readonly override?: Readonly<Record<string, unknown>>;
  /** What the response must have, or else the workflow shows nothing. */
  readonly expect?: (values: RequestValues) => Readonly<Record<string, Matcher>>;
  /** Further outputs. */
  readonly outputs?: NonNullable<CallSource["outputs"]>;
}

/** Makes a thing, and what it needs. Throws a `MissingThing`. */
export function makeThing(resources: Resources, resource: Resource, making: Making): Made {
  const { document, callerOf } = resources;
  const { create, read, remove, parameter = "", name } = resource;
  const { taken, isParent = false, expect = () => ({}), outputs = {} } = making;
  const outer = making.outer ?? prepareOuter(resources, resource, taken);
  const needed = create && referencesOf(resources, resource, taken);
  const sent =
    create?.identity?.kind === "sent" ? { identity: create.identity.field } : { except: read?.thing?.key ?? "" };
  const values =
    create && requestValues(document, create.operation, read?.thing ?? create.thing, { ...sent, ...making });
  if (create === undefined || needed === undefined || values === undefined)
    throw new MissingThing(`no way to make the request of ${create === undefined ? name : title(create)}`);
  const id = stepId(isParent ? `create-${name}` : "create", taken);
  const { identity } = create;
  const place = identity?.kind === "body" ? identity.at : "header Location";
  const step: CallSource = {
    ...{ id, call: create.operation.operationId, ...callerOf(create.operation) },
    with: { ...values.with, ...making.override, ...own(outer.params, create), ...needed.params },
    precondition: true,
    expect: { ...statusOf(create), ...expect(values) },
    ...(identity === undefined || identity.kind === "sent"
      ? Object.keys(outputs).length === 0
        ? {}
        : { outputs }
      : {
          outputs: {
            // A response that must have it breaks the rule of its schema without it.
            id: { at: place, optional: true, ...(identity.kind === "location" ? { segment: true } : {}) },
            ...outputs,
          },
        }),
  };
  const identified = identity?.kind === "sent" ? step.with?.[identity.field] : `$${id}.id`;
  const params = { ...outer.params, [parameter]: identified };
  const removal: CallSource[] =
    remove === undefined
      ? []
      : [
          {
            ...{ id: stepId(isParent ? `remove-${name}` : "remove", taken), call: remove.operation.operationId },
            ...{
              ...callerOf(remove.operation),
              with: required(document, remove, own(params, remove)),
              expect: { status: "any" },
            },
          },
        ];
  return {
    // What a path names was made by the caller.
    steps: [...(making.outer === undefined ? outer.steps : []), ...needed.steps, step],
    step,
    params,
    id: identified,
    values,
    removals: [...removal, ...needed.removals, ...(making.outer === undefined ? outer.removals : [])],
  };
}

/** Makes or finds what required members of a body refer to, such as `pet_id`. */
function referencesOf(resources: Resources, resource: Resource, taken: string[]): Prepared {
  const { create } = resource;
  const [media] = Object.values(create?.operation.requestBody?.content ?? {});
  if (create === undefined || media === undefined || taken.length > 8) return nothing;
  const values = requestValues(resources.document, create.operation, undefined);
  const fields = Object.keys(values?.with ?? {}).filter(
    (name) => /id$/i.test(name) && !resource.path.includes(`{${name}}`),
  );
  return fields.reduce((before, field) => {
    const found = resources.all.find(
      (one) =>
        one !== resource &&
        !one.path.includes("{") &&
        one.parameter !== undefined &&
        [one.parameter, `${singular(one.name)}id`].some(
          (text) => plainName(text) === plainName(field) && plainName(text) !== "id",
        ),
    );
    if (found === undefined) return before;
    if (found.create?.identity !== undefined && found.path !== resource.path) {
      const { steps, id, removals } = makeThing(resources, found, { taken, isParent: true });
      return join(before, { steps, params: { [field]: id }, removals });
    }
    return join(before, findFirst(resources, found, { params: {}, parameter: field, taken }));
  }, nothing);
}

function join(one: Prepared, other: Prepared): Prepared {
  return {
    steps: [...one.steps, ...other.steps],
    params: { ...one.params, ...other.params },
    removals: [...other.removals, ...one.removals],
  };
}

/** The values that the path of an operation has. */
export function own(
  params: Readonly<Record<string, unknown>>,
  { path }: Pick<ResourceOperation, "path">,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => path.includes(`{${name}}`)));
}

/** The values of a path, with those of the other required parameters. */
export function required(
  document: ContractDocument,
  { operation, path }: ResourceOperation,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = parametersOf(document, operation).filter((one) => one.required === true && one.in !== "path");
  if (others.length === 0) return own(values, { path });
  const { query = {}, header = {} } = exampleRequest(document, operation)?.request ?? {};
  const named = others.map(({ name }) => [name, literals(query[name] ?? header[name])]);
  return { ...Object.fromEntries(named), ...own(values, { path }) };
}

/** The values of a call, if it has any. */
export function withOf(values: Readonly<Record<string, unknown>>): Pick<CallSource, "with"> {
  return Object.keys(values).length === 0 ? {} : { with: values };
}

/** The documented statuses of a success. */
export function statusOf({ success: { statuses } }: ResourceOperation): { readonly status: number | Matcher } {
  const [first = 200, ...others] = statuses;
  return { status: others.length === 0 ? first : { any: statuses } };
}

/** A JSON pointer to a member of a thing. */
export function memberAt(thing: { readonly at: string }, name: string): string {
  return `${thing.at}/${escapeKey(name)}`;
}

/** A name of a step that no earlier one has. */
export function stepId(wanted: string, taken: string[]): string {
  let id = wanted;
  for (let number = 2; taken.includes(id); number++) id = `${wanted}-${number}`;
  taken.push(id);
  return id;
}
