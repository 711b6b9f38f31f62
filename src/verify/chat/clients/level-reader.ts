import { type ContractDocument, type OperationObject, resolve, type Schema } from "../../../contract/chat/document.js";
import { featureLevelOf, levelOf } from "../../../contract/chat/feature-level.js";
import { listFeatures } from "../../../contract/chat/features.js";
import { listOperations, parametersOf } from "../../../contract/chat/operations.js";
import { listAllRules } from "../../../contract/chat/rules.js";

/** Finds the lowest level that has an operation and the named parameters. Undefined if no level has the operation. */
export type LevelReader = (method: string, path: string, names: readonly string[]) => number | undefined;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly added: number;
  /** The levels that added parameters, by name. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly placeholders: number;
}

/** Creates a level reader from the contract of the newest level. */
export function createLevelReader(document: ContractDocument): LevelReader {
  const routes = listOperations(document)
    .map(({ path, method, operation }): Route => {
      const slashes = operation.parameters?.some((one) => "name" in one && one["x-allow-slashes"] === true) === true;
      const source = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, slashes ? ".+" : "[^/]+");
      return {
        method: method.toUpperCase(),
        pattern: new RegExp(`/api/v1${source}$`),
        added: featureLevelOf(operation)?.added ?? 0,
        parameters: addedParameters(document, operation),
        placeholders: path.split("{").length,
      };
    })
    .sort((a, b) => a.placeholders - b.placeholders);
  return (method, path, names) => {
    const route = routes.find((one) => one.method === method && one.pattern.test(path));
    if (route === undefined) return undefined;
    return names.reduce((level, name) => Math.max(level, route.parameters.get(name) ?? 0), route.added);
  };
}

/** The levels that added parameters of an operation, by name. */
function addedParameters(document: ContractDocument, operation: OperationObject): Map<string, number> {
  const forms = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) =>
    resolve<Schema>(document, schema),
  );
  const nodes: [string, unknown][] = [
    ...parametersOf(document, operation).map((parameter): [string, unknown] => [parameter.name, parameter]),
    ...forms.flatMap(({ properties = {} }) => Object.entries(properties)),
  ];
  return new Map(
    nodes.flatMap(([name, node]) => {
      const added = levelOf(document, node)?.added;
      return added === undefined ? [] : [[name, added] as const];
    }),
  );
}

/** The newest level that the contract describes. */
export function newestLevelOf(document: ContractDocument): number {
  const features = listFeatures(document).flatMap(({ level = {} }) => [
    level.added ?? 0,
    level.deprecated ?? 0,
    level.removed ?? 0,
    ...(level.changed ?? []).map((change) => change.level),
  ]);
  return Math.max(...features, ...listAllRules(document).flatMap(({ since = 0, until = 0 }) => [since, until]), 0);
}
