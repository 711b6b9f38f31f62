import { valuesAt } from "../../json-pointer.js";
import {
  type ContractDocument,
  type ExampleObject,
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../document.js";
import { listOperations, parametersOf } from "../operations.js";

/**
 * Adapts the cases of the contract to a feature level. Removes cases whose rule does not hold there or whose request needs a missing
 * parameter, and removes missing response fields from the other cases.
 */
export function pruneCases(before: ContractDocument, view: ContractDocument, rules: ReadonlySet<string>): void {
  const originals = new Map(listOperations(before).map(({ operation }) => [operation.operationId, operation]));
  for (const { operation } of listOperations(view)) {
    const original = originals.get(operation.operationId);
    if (original === undefined) continue;
    const lostFields = lostRequestFields(before, original, view, operation);
    for (const { encoding = {} } of Object.values(operation.requestBody?.content ?? {})) {
      for (const name of lostFields.keys()) delete encoding[name];
    }
    dropCases(operation, rules, lostFields);
    pruneResponses(before, original.responses, view, operation.responses, rules);
  }
  const shared = view.components.responses ?? {};
  for (const response of Object.values(shared)) {
    for (const media of Object.values(response.content ?? {}))
      dropExamples(media, (_, example) => !holds(example, rules));
  }
  pruneResponses(before, before.components.responses ?? {}, view, shared, rules);
}

/** Whether the rule of an example holds. An example without a rule is a mere sample, which always holds. */
function holds({ "x-case": notes }: ExampleObject, rules: ReadonlySet<string>): boolean {
  return notes === undefined || rules.has(notes.rule);
}

/** The removed parameters and body fields, each with the names of its parameter examples. */
function lostRequestFields(
  before: ContractDocument,
  original: OperationObject,
  view: ContractDocument,
  operation: OperationObject,
): Map<string, readonly string[]> {
  const now = requestFields(view, operation);
  return new Map([...requestFields(before, original)].filter(([name]) => !now.has(name)));
}

function requestFields(document: ContractDocument, operation: OperationObject): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const parameter of parametersOf(document, operation)) {
    const names = exampleHolders(parameter).flatMap(({ examples = {} }) => Object.keys(examples));
    fields.set(parameter.name, names);
  }
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    for (const name of Object.keys(resolve<Schema>(document, schema).properties ?? {})) fields.set(name, []);
  }
  return fields;
}

type ExampleHolder = Pick<MediaTypeObject, "examples">;

function exampleHolders({ examples = {}, content = {} }: ParameterObject): ExampleHolder[] {
  return [{ examples }, ...Object.values(content)];
}

function dropCases(
  operation: OperationObject,
  rules: ReadonlySet<string>,
  lostFields: ReadonlyMap<string, readonly string[]>,
): void {
  const lost = new Set([...lostFields.values()].flat());
  const bodies = Object.values(operation.requestBody?.content ?? {});
  for (const { examples = {} } of bodies) {
    for (const [name, { value }] of Object.entries(examples)) {
      if (typeof value === "object" && value !== null && Object.keys(value).some((field) => lostFields.has(field))) {
        lost.add(name);
      }
    }
  }
  for (const response of Object.values(operation.responses)) {
    if ("$ref" in response) continue;
    for (const media of Object.values(response.content ?? {})) {
      dropExamples(media, (name, example) => {
        if (!holds(example, rules)) lost.add(name);
        return lost.has(name);
      });
    }
  }
  for (const media of bodies) dropExamples(media, (name) => lost.has(name));
  for (const parameter of operation.parameters ?? []) {
    if ("$ref" in parameter) continue;
    for (const holder of exampleHolders(parameter)) dropExamples(holder, (name) => lost.has(name));
  }
}

function dropExamples(holder: ExampleHolder, drop: (name: string, example: ExampleObject) => boolean): void {
  for (const [name, example] of Object.entries(holder.examples ?? {})) {
    if (drop(name, example)) delete holder.examples?.[name];
  }
}

type Responses = Readonly<Record<string, ResponseObject | { $ref: string }>>;

/** Removes the fields that a response lacks at the level from its examples and their notes. */
function pruneResponses(
  before: ContractDocument,
  originals: Responses,
  view: ContractDocument,
  responses: Responses,
  rules: ReadonlySet<string>,
): void {
  for (const [status, response] of Object.entries(responses)) {
    const original = originals[status];
    if ("$ref" in response || original === undefined || "$ref" in original) continue;
    for (const [type, media] of Object.entries(response.content ?? {})) {
      const schema = original.content?.[type]?.schema ?? {};
      for (const example of Object.values(media.examples ?? {})) {
        example.value = withoutLostProperties(
          example.value,
          { document: before, schema },
          { document: view, schema: media.schema },
        );
        const notes = example["x-case"];
        if (notes?.also) notes.also = notes.also.filter((id) => rules.has(id));
        if (notes?.exact) notes.exact = notes.exact.filter((pointer) => valuesAt(example.value, pointer).length > 0);
      }
    }
  }
}

/** A schema and the document that its references point into. */
export interface PlacedSchema {
  readonly document: ContractDocument;
  readonly schema: Schema;
}

/** Copies a value without the properties that the schema lost. Keeps properties that it never had. */
function withoutLostProperties(value: unknown, had: PlacedSchema, has: PlacedSchema): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutLostProperties(item, itemsOf(had), itemsOf(has)));
  }
  if (typeof value !== "object" || value === null) return value;
  const [before, now] = [propertiesOf(had), propertiesOf(has)];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const [old, current] = [before.get(name), now.get(name)];
      if (old === undefined) return [[name, inner]];
      return current === undefined
        ? []
        : [[name, withoutLostProperties(inner, { ...had, schema: old }, { ...has, schema: current })]];
    }),
  );
}

/** The properties of an object schema, including those of all alternatives. */
function propertiesOf({ document, schema }: PlacedSchema): Map<string, Schema> {
  const { properties = {}, anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const found = new Map(Object.entries(properties));
  for (const alternative of [...anyOf, ...oneOf]) {
    for (const [name, property] of propertiesOf({ document, schema: alternative }))
      found.set(name, found.get(name) ?? property);
  }
  return found;
}

function itemsOf({ document, schema }: PlacedSchema): PlacedSchema {
  const { items, anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  if (items !== undefined) return { document, schema: items };
  const alternatives = [...anyOf, ...oneOf].map((alternative) => itemsOf({ document, schema: alternative }).schema);
  return { document, schema: alternatives.length === 0 ? {} : { anyOf: alternatives } };
}
