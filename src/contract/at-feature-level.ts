import {
  type ContractDocument,
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "./document.js";
import { type FeatureLevel, featureLevelOf, levelOf } from "./feature-level.js";
import { mergePatch } from "./merge-patch.js";
import { listOperations, parametersOf } from "./operations.js";
import type { Rule } from "./rules.js";

/**
 * The contract as a server of the given feature level keeps it. What came later is gone, what was changed later is as it was
 * before, what was removed by then is gone too; rules and cases that do not hold at that level are left out.
 */
export function atFeatureLevel(document: ContractDocument, level: number): ContractDocument {
  const result = view(document, document, level) as ContractDocument;
  for (const [path, item] of Object.entries(result.paths))
    if (Object.keys(item).length === 0) delete result.paths[path];
  dropUndocumentedCodes(document, result);
  const holds = (rule: Rule) => (rule.since ?? 0) <= level && level < (rule.until ?? Number.POSITIVE_INFINITY);
  if (result["x-rules"]) result["x-rules"] = result["x-rules"].filter(holds);
  const kept = new Set(result["x-rules"]?.map(({ id }) => id));
  for (const { operation } of listOperations(result)) {
    if (operation["x-rules"]) operation["x-rules"] = operation["x-rules"].filter(holds);
    for (const { id } of operation["x-rules"] ?? []) kept.add(id);
  }
  const fieldsBefore = new Map(
    listOperations(document).map(({ operation }) => [operation.operationId, requestFields(document, operation)]),
  );
  for (const { operation } of listOperations(result)) {
    const now = requestFields(result, operation);
    const lostFields = [...(fieldsBefore.get(operation.operationId) ?? [])].filter(([name]) => !now.has(name));
    dropCases(operation, kept, new Map(lostFields));
  }
  for (const response of Object.values(result.components.responses ?? {})) {
    for (const media of Object.values(response.content ?? {}))
      dropExamples(media, (_, rule) => rule !== undefined && !kept.has(rule));
  }
  return result;
}

/** Whether something with these levels is there at a level. */
export function isPresent(levels: FeatureLevel | undefined, level: number): boolean {
  return (levels?.added ?? 0) <= level && level < (levels?.removed ?? Number.POSITIVE_INFINITY);
}

function view(document: ContractDocument, node: unknown, level: number): unknown {
  if (Array.isArray(node)) {
    return node
      .filter((child) => isPresent(levelOf(document, child), level))
      .map((child) => view(document, child, level));
  }
  if (typeof node !== "object" || node === null) return node;
  const reverted = revert(node, level);
  const gone = Object.entries(reverted).filter(([, child]) => !isPresent(levelOf(document, child), level));
  const lost = new Set(gone.map(([key]) => key));
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(reverted)) if (!lost.has(key)) result[key] = view(document, child, level);
  return withoutLostProperties(result, reverted);
}

/** Undoes later changes, the latest first, and a deprecation that had not been said yet. */
function revert(node: object, level: number): Record<string, unknown> {
  const levels = featureLevelOf(node);
  let result: Record<string, unknown> = { ...node };
  if (levels === undefined) return result;
  const later = (levels.changed ?? []).filter((change) => change.level > level).sort((a, b) => b.level - a.level);
  for (const { before = {} } of later) result = mergePatch(result, before) as Record<string, unknown>;
  if (levels.deprecated !== undefined && levels.deprecated > level) delete result.deprecated;
  return result;
}

/** A property that is gone is no longer required, and a field that is gone has no encoding. */
function withoutLostProperties(
  result: Record<string, unknown>,
  before: Schema & Partial<MediaTypeObject>,
): Record<string, unknown> {
  const { required } = before;
  const properties = result.properties;
  if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return result;
  const lost = new Set(Object.keys(before.properties ?? {}).filter((name) => !(name in properties)));
  return lost.size === 0 ? result : { ...result, required: required.filter((name) => !lost.has(name)) };
}

/** `DocumentedErrorCode` lists the codes of the error schemas; one that is gone is no documented code. */
function dropUndocumentedCodes(before: ContractDocument, result: ContractDocument): void {
  const codes = result.components.schemas.DocumentedErrorCode;
  if (codes?.enum === undefined) return;
  const lost = Object.entries(before.components.schemas).flatMap(([name, { properties }]) =>
    name in result.components.schemas ? [] : [properties?.code?.const],
  );
  codes.enum = codes.enum.filter((code) => !lost.includes(code));
}

/** The parameters and body fields of an operation, each with the names of the examples that it has as a parameter. */
function requestFields(document: ContractDocument, operation: OperationObject): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const parameter of parametersOf(document, operation)) {
    fields.set(
      parameter.name,
      exampleHolders(parameter).flatMap(({ examples = {} }) => Object.keys(examples)),
    );
  }
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    for (const name of Object.keys(resolve<Schema>(document, schema).properties ?? {})) fields.set(name, []);
  }
  return fields;
}

function exampleHolders(parameter: ParameterObject): Pick<MediaTypeObject, "examples">[] {
  return [parameter, ...Object.values(parameter.content ?? {})] as Pick<MediaTypeObject, "examples">[];
}

/** Drops the cases whose rule does not hold, and those whose request needs something that is gone. */
function dropCases(
  operation: OperationObject,
  kept: ReadonlySet<string>,
  lostFields: ReadonlyMap<string, readonly string[]>,
): void {
  const lost = new Set([...lostFields.values()].flat());
  const bodies = Object.values(operation.requestBody?.content ?? {});
  for (const { examples = {} } of bodies) {
    for (const [name, { value }] of Object.entries(examples)) {
      if (typeof value === "object" && value !== null && Object.keys(value).some((field) => lostFields.has(field)))
        lost.add(name);
    }
  }
  for (const response of Object.values(operation.responses)) {
    if ("$ref" in response) continue;
    for (const media of Object.values(response.content ?? {})) {
      dropExamples(media, (name, rule) => {
        if (rule !== undefined && !kept.has(rule)) lost.add(name);
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

function dropExamples(
  holder: Pick<MediaTypeObject, "examples">,
  drop: (name: string, rule: string | undefined) => boolean,
): void {
  for (const [name, example] of Object.entries(holder.examples ?? {})) {
    if (drop(name, example["x-case"]?.rule)) delete holder.examples?.[name];
  }
}
