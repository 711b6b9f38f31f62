import { operations as generatedOperations } from "../../../../../generated/chat/operations.js";
import type { Operation, ParameterKind } from "../../../../chat/operation.js";
import { isOperationPresent, isParameterPresent } from "../../../../chat/server/feature-level.js";
import { createRouter, type RouteMatch } from "../../../../chat/server/match-route.js";
import type { ContractDocument, OperationObject } from "../../../../contract/rest/document.js";
import { jsonFields } from "../../../../contract/rest/level/cases-at-level.js";
import { listOperations } from "../../../../contract/rest/operations.js";
import { listProbedOperations, type ProbedOperation } from "../../../derive/probed-operation.js";
import { rulesAtLevel } from "../../../rest/rules-at-level.js";

/** The operations of a feature level, with what judging traffic needs. */
export interface OperationsAtLevel {
  readonly level: number;
  readonly contract: ContractDocument;
  /** The operations of the level by id. */
  readonly operations: ReadonlyMap<string, OperationAtLevel>;
  /** Finds an operation of the level by method and path below `/api/v1`. */
  readonly route: (method: string, path: string) => RouteMatch;
  /** Finds an operation of any level. */
  readonly routeAnyLevel: (method: string, path: string) => RouteMatch;
  /** Whether a path belongs to a protocol that an operation starts, such as tus. The contract does not describe such requests. */
  readonly isProtocolPath: (path: string) => boolean;
}

/** An operation at a level. */
export interface OperationAtLevel extends ProbedOperation {
  /** The operation as the codec needs it: the parameters of this level, encoded as at this level. */
  readonly wire: Operation;
  readonly responses: OperationObject["responses"];
  /** The parameters that only other levels have. */
  readonly otherLevels: readonly string[];
}

const newest: Readonly<Record<string, Operation>> = generatedOperations;

const known = new WeakMap<ContractDocument, OperationsAtLevel>();

/** Lists the operations of a contract at a level. The result is shared. */
export function operationsAtLevel(contract: ContractDocument, level: number): OperationsAtLevel {
  const listed = known.get(contract) ?? listAtLevel(contract, level);
  known.set(contract, listed);
  return listed;
}

function listAtLevel(contract: ContractDocument, level: number): OperationsAtLevel {
  const encoded = jsonFields(contract);
  const operations = new Map<string, OperationAtLevel>();
  const rated = new Map(rulesAtLevel(contract, level).map((rule) => [rule.id, rule]));
  const responses = new Map(
    listOperations(contract).map(({ operation }) => [operation.operationId, operation.responses]),
  );
  for (const operation of listProbedOperations(contract, [])) {
    const id = operation.operationId;
    const row = newest[id];
    if (row === undefined || !isOperationPresent(id, level)) continue;
    const names = Object.keys(row.parameters);
    const present = names.filter((name) => isParameterPresent(id, name, level));
    const kind = (name: string): ParameterKind =>
      encoded.has(`${id} ${name}`) ? "json" : (row.parameters[name] ?? "string");
    const wire = { ...row, parameters: Object.fromEntries(present.map((name) => [name, kind(name)])) };
    operations.set(id, {
      ...operation,
      // The rules that begin to hold at the level itself are only recommendations.
      rules: operation.rules.map((rule) => rated.get(rule.id) ?? rule),
      wire,
      responses: responses.get(id) ?? {},
      otherLevels: names.filter((name) => !present.includes(name)),
    });
  }
  const table = Object.fromEntries([...operations].map(([id, { wire }]) => [id, wire]));
  const protocols = Object.values(newest).flatMap(({ protocol, path }) => (protocol === undefined ? [] : `${path}/`));
  return {
    level,
    contract,
    operations,
    route: createRouter(table),
    routeAnyLevel: createRouter<string>(newest),
    isProtocolPath: (path) => protocols.some((prefix) => path.startsWith(prefix)),
  };
}
