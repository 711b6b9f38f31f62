import { type ContractDocument, type OperationObject, resolve, type Schema } from "../../src/contract/rest/document.js";
import { levelOf } from "../../src/contract/rest/feature-level.js";
import { levelsOfChange } from "../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { listOperations, parametersOf } from "../../src/contract/rest/operations.js";

/** The levels that have a part of the contract: from `added`, and before `removed`. */
interface Presence {
  readonly added?: number;
  readonly removed?: number;
}
interface RequestLevels extends Presence {
  readonly parameters: Readonly<
    Record<string, Presence & { readonly requiredFrom?: number; readonly requiredUntil?: number }>
  >;
}

/** The levels of every operation, and of its parameters that are missing or optional at some levels. */
export function requestLevels(document: ContractDocument): Record<string, RequestLevels> {
  const table = Object.fromEntries(
    listOperations(document).map(({ operation }) => [operation.operationId, rowOf(document, operation)]),
  );
  for (const level of levelsOfChange(document)) {
    const view = atFeatureLevel(document, level);
    for (const { operation } of listOperations(view)) {
      const parameters = table[operation.operationId]?.parameters;
      if (parameters === undefined) continue;
      const required = new Set(
        fieldsOf(view, operation)
          .filter((field) => field.required)
          .map(({ name }) => name),
      );
      for (const [name, row] of Object.entries(parameters)) {
        if (required.has(name) && row.requiredUntil !== undefined) {
          throw new Error(`${operation.operationId}.${name} is required for a second time at level ${level}`);
        }
        if (required.has(name)) row.requiredFrom ??= level;
        else if (row.requiredFrom !== undefined) row.requiredUntil ??= level;
      }
    }
  }
  for (const row of Object.values(table)) {
    for (const [name, parameter] of Object.entries(row.parameters))
      if (Object.keys(parameter).length === 0) delete row.parameters[name];
  }
  return table;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Row = Omit<Mutable<RequestLevels>, "parameters"> & {
  parameters: Record<string, Mutable<RequestLevels["parameters"][string]>>;
};

function rowOf(document: ContractDocument, operation: OperationObject): Row {
  const { added, removed } = levelOf(document, operation) ?? {};
  const parameters = fieldsOf(document, operation).map(({ name, node }) => {
    const level = levelOf(document, node) ?? {};
    return [name, presence(level.added, level.removed)] as const;
  });
  return { ...presence(added, removed), parameters: Object.fromEntries(parameters) };
}

function presence(added?: number, removed?: number): { added?: number; removed?: number } {
  return { ...(added === undefined ? {} : { added }), ...(removed === undefined ? {} : { removed }) };
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly node: object;
}

/** Path, query and body parameters. */
function fieldsOf(document: ContractDocument, operation: OperationObject): Field[] {
  const parameters = parametersOf(document, operation)
    .filter((parameter) => parameter.in !== "header")
    .map((node) => ({ name: node.name, required: node.required === true, node }));
  const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => {
    const { properties = {}, required = [] } = resolve<Schema>(document, schema);
    return Object.entries(properties).map(([name, node]) => ({ name, required: required.includes(name), node }));
  });
  return [...parameters, ...bodies];
}

/** The TypeScript module with the table of request levels. */
export function requestLevelsModule(document: ContractDocument): string {
  const rows = Object.entries(requestLevels(document)).map(([id, row]) => `  ${id}: ${JSON.stringify(row)},`);
  return `// Written by \`npm run generate\`. Not to be edited.

/**
 * The levels of an operation and its parameters, and those at which a parameter is required. Omitted levels mean always
 * present, and never required.
 */
export interface RequestLevels {
  readonly added?: number;
  readonly removed?: number;
  readonly parameters: Readonly<
    Record<string, { readonly added?: number; readonly removed?: number; readonly requiredFrom?: number; readonly requiredUntil?: number }>
  >;
}

/** The highest level that the contract describes. */
export const newestLevel = ${Math.max(...levelsOfChange(document))};

/** The feature levels of the operations and of their parameters, by operationId. */
export const requestLevels: Readonly<Record<string, RequestLevels>> = {
${rows.join("\n")}
};
`;
}
