import {
  type ContractDocument,
  type FeatureLevel,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "./document.js";
import { levelOf } from "./feature-level.js";
import { listOperations, parametersOf } from "./operations.js";
import { listAllRules } from "./rules.js";

/** A part of the contract that a server may lack at some level. */
export interface Feature {
  /**
   * The operation's `x-feature`, alone or followed by a parameter, a response field (with its path) or an error code:
   * `messages.edit`, `messages.edit.content`, `messages.get.messages.edit_history`, `messages.edit.BAD_REQUEST`.
   */
  readonly name: string;
  /** Undefined for features of every operation. */
  readonly operationId?: string;
  readonly level?: FeatureLevel;
  /** The part of the feature that has the level, unless it is the whole feature. */
  readonly part?: string;
}

/** The name of the change or deprecation of a feature at a level. */
export function changeName(feature: string, level: number): string {
  return `${feature}@${level}`;
}

/**
 * Lists the features of the contract. A name occurs several times if it has parts, or if a parameter and a response field share it. The
 * fields of a schema to which an operation refers several times are named once, at the first place.
 */
export function listFeatures(document: ContractDocument): Feature[] {
  const envelope = document.components.schemas.Success;
  const features: Feature[] = [];
  const shared = new Set(
    [envelope, document.components.schemas.OtherError].flatMap((schema) => Object.keys(schema?.properties ?? {})),
  );
  for (const [name, property] of Object.entries(envelope?.properties ?? {})) {
    const level = levelOf(document, property);
    if (level !== undefined) features.push({ name, level });
  }
  for (const { operation } of listOperations(document)) features.push(...featuresOf(document, operation, shared));
  return features;
}

function featuresOf(document: ContractDocument, operation: OperationObject, shared: ReadonlySet<string>): Feature[] {
  const { operationId } = operation;
  const features: Feature[] = [];
  const add = (name: string, node: unknown, part?: string) => {
    const level = levelOf(document, node);
    features.push({
      name,
      operationId,
      level,
      part,
    });
  };
  const walked = new Set<Schema>();
  const walk = (name: string, node: Schema, top: boolean) => {
    const schema = resolve<Schema>(document, node);
    // Schemas that refer to each other would give names without end.
    if (walked.has(schema)) return;
    walked.add(schema);
    for (const [property, child] of Object.entries(schema.properties ?? {})) {
      if (top && shared.has(property)) continue;
      add(`${name}.${property}`, child);
      walk(`${name}.${property}`, child, false);
    }
    for (const child of [schema.items ?? []].flat()) walk(name, child, false);
    for (const child of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
      const code = resolve<Schema>(document, child).properties?.code?.const;
      if (typeof code === "string") add(`${name}.${code}`, child);
      else {
        if (levelOf(document, child) !== undefined) add(name, child, resolve<Schema>(document, child).description);
        walk(name, child, top);
      }
    }
  };
  add(operation["x-feature"], operation);
  for (const parameter of parametersOf(document, operation)) {
    add(`${operation["x-feature"]}.${parameter.name}`, parameter);
    if (parameter.schema !== undefined) walk(`${operation["x-feature"]}.${parameter.name}`, parameter.schema, false);
  }
  for (const { schema = {} } of Object.values(operation.requestBody?.content ?? {})) {
    // A form as a whole changes when a field becomes required.
    if (levelOf(document, schema) !== undefined) add(operation["x-feature"], schema);
    walk(operation["x-feature"], schema, true);
  }
  for (const given of Object.values(operation.responses)) {
    for (const { schema = {} } of Object.values(resolve<ResponseObject>(document, given).content ?? {}))
      walk(operation["x-feature"], schema, true);
  }
  return features;
}

/** The levels at which the contract changes, ascending from 0. */
export function levelsOfChange(document: ContractDocument): number[] {
  const levels = [
    ...listFeatures(document).flatMap(({ level = {} }) => [
      level.added,
      ...(level.changed ?? []).map((change) => change.level),
      level.deprecated,
      level.removed,
    ]),
    ...listAllRules(document).flatMap(({ since, until }) => [since, until]),
  ];
  return [...new Set([0, ...levels.filter((level) => level !== undefined)])].sort((a, b) => a - b);
}
