import { basePath } from "../../../contract/rest/base-path.js";
import { compileOperations } from "../../../contract/rest/compile-operation.js";
import { type ContractDocument, type FeatureLevel, resolve, type Schema } from "../../../contract/rest/document.js";
import { levelOf } from "../../../contract/rest/feature-level.js";
import { rulesAtLevel } from "../../../contract/rest/level/rules-at-level.js";
import { type ListedOperation, listOperations, parametersOf } from "../../../contract/rest/operations.js";
import { listProbedOperations, type ProbedOperation } from "../../../contract/rest/probed-operation.js";
import { createRouter, type RouteMatch } from "../../../server/rest/match-route.js";

/** The operations of a feature level, with what judging traffic needs. */
export interface OperationsAtLevel {
  readonly level: number;
  readonly contract: ContractDocument;
  /** The operations of the level by id. */
  readonly operations: ReadonlyMap<string, OperationAtLevel>;
  /** Finds an operation of the level by method and path below the path of the API. */
  readonly route: (method: string, path: string) => RouteMatch;
  readonly all: AllOperations;
}

/** An operation at a level. */
export interface OperationAtLevel extends ProbedOperation {
  /** The parameters that only other levels have. */
  readonly otherLevels: readonly string[];
}

/** The operations of every level. */
export interface AllOperations {
  /** The path of the API, such as `/api/v1`. */
  readonly apiPath: string;
  /** Finds an operation by method and path below that of the API. */
  readonly route: (method: string, path: string) => RouteMatch;
  /** The levels of each operation and of its parameters, by id. */
  readonly levels: ReadonlyMap<string, RequestLevels>;
  /** Whether a path belongs to a protocol that an operation starts, such as tus. The contract does not describe such requests. */
  readonly isProtocolPath: (path: string) => boolean;
}

/** The levels of an operation and of its parameters. */
export interface RequestLevels extends FeatureLevel {
  readonly parameters: Readonly<Record<string, FeatureLevel>>;
}

const knownDocuments = new WeakMap<ContractDocument, AllOperations>();
const knownContracts = new WeakMap<ContractDocument, OperationsAtLevel>();

/** Lists the operations of a document of the newest level. The result is shared. */
export function allOperations(document: ContractDocument): AllOperations {
  return remembered(knownDocuments, document, () => {
    const listed = listOperations(document);
    const protocols = listed.flatMap(({ operation, path }) => (operation["x-protocol"] ? `${path}/` : []));
    return {
      apiPath: basePath(document),
      route: createRouter(Object.fromEntries(compileOperations(document))),
      levels: new Map(listed.map((one) => [one.operation.operationId, levelsOf(document, one)])),
      isProtocolPath: (path) => protocols.some((prefix) => path.startsWith(prefix)),
    };
  });
}

/** Lists the operations of a contract at a level. `document` is that of the newest level. The result is shared. */
export function operationsAtLevel(
  document: ContractDocument,
  contract: ContractDocument,
  level: number,
): OperationsAtLevel {
  return remembered(knownContracts, contract, () => {
    const all = allOperations(document);
    const probed = listProbedOperations(contract, []);
    const rated = new Map(rulesAtLevel(contract, level).map((rule) => [rule.id, rule]));
    const operations = probed.map((operation): OperationAtLevel => {
      const names = Object.keys(all.levels.get(operation.operationId)?.parameters ?? {});
      return {
        ...operation,
        // The rules that begin to hold at the level itself are only recommendations.
        rules: operation.rules.map((rule) => rated.get(rule.id) ?? rule),
        otherLevels: names.filter((name) => !operation.parameters.some((one) => one.name === name)),
      };
    });
    return {
      level,
      contract,
      operations: new Map(operations.map((one) => [one.operationId, one])),
      route: createRouter(Object.fromEntries(operations.map((one) => [one.operationId, one.request]))),
      all,
    };
  });
}

function remembered<Value>(
  known: WeakMap<ContractDocument, Value>,
  document: ContractDocument,
  list: () => Value,
): Value {
  const value = known.get(document) ?? list();
  known.set(document, value);
  return value;
}

function levelsOf(document: ContractDocument, { operation }: ListedOperation): RequestLevels {
  const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(resolve<Schema>(document, schema).properties ?? {}),
  );
  const nodes = [
    ...parametersOf(document, operation).flatMap((one) => (one.in === "header" ? [] : [[one.name, one] as const])),
    ...fields,
  ];
  const parameters = nodes.map(([name, node]) => [name, levelOf(document, node) ?? {}]);
  return { ...levelOf(document, operation), parameters: Object.fromEntries(parameters) };
}
