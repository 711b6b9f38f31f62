import type { Check } from "../../contract/check.js";
import { type Case, listCases } from "../../contract/rest/cases.js";
import { conventionsOf, plainCaller } from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { workflowsAtLevel } from "../../contract/rest/level/workflows-at-level.js";
import { listProbedOperations, type ProbedOperation } from "../../contract/rest/probed-operation.js";
import { findReadBack } from "../../contract/rest/read-back.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import type { StatesCatalogue } from "../../contract/rest/states.js";
import type { ResponseValidators } from "../../contract/rest/validator.js";
import { documentAtLevel } from "../../judge/document-at-level.js";
import { type CaseContext, caseCheck } from "../derive/case-checks.js";
import { createProbeSource, type Probe, type ProbeSource } from "../derive/probe-source.js";
import { type CodeCheckAtLevel, codeChecksOf } from "./load-code-checks.js";

/** The contract as of a feature level, with the sources of its checks. */
export interface ContractAtLevel {
  /** Cases and workflows. */
  readonly checks: readonly Check[];
  readonly probes: ProbeSource;
  readonly cases: readonly Case[];
  readonly contract: ContractDocument;
  readonly codeChecks: readonly CodeCheckAtLevel[];
  readonly validators: ResponseValidators;
  readonly context: CaseContext;
  /** By their ids. */
  readonly operations: ReadonlyMap<string, ProbedOperation>;
}

/** The last result for each contract. Loading takes longer than many checks, and repeated verifications usually use one level. */
const last = new WeakMap<RestContract, { readonly level: number; readonly loading: Promise<ContractAtLevel> }>();

/**
 * Returns a contract as of a level, at most the newest. The result is shared, so callers must not modify it. With `isMeant`, only operations for
 * which it returns true have probes, which takes far less time if a contract has thousands.
 */
export function contractAtLevel(
  contract: RestContract,
  level: number,
  isMeant?: (operation: ProbedOperation) => boolean,
): Promise<ContractAtLevel> {
  if (isMeant !== undefined) return readContract(contract, level, isMeant);
  const known = last.get(contract);
  if (known?.level === level) return known.loading;
  const current = { level, loading: readContract(contract, level) };
  last.set(contract, current);
  current.loading.catch(() => {
    if (last.get(contract) === current) last.delete(contract);
  });
  return current.loading;
}

async function readContract(
  source: RestContract,
  level: number,
  isMeant?: (operation: ProbedOperation) => boolean,
): Promise<ContractAtLevel> {
  const { document: newest, states, workflows: ofAllLevels } = source;
  const { contract, cases, validators } = documentAtLevel(source, level);
  const operations = operationsById(contract, cases);
  const context = contextOf(contract, operations, states);
  const workflows = workflowsAtLevel(ofAllLevels, newest, contract);
  return {
    contract,
    cases,
    operations,
    checks: [...workflows, ...cases.map((one) => caseCheck(one, context))],
    context,
    codeChecks: await codeChecksOf(source.checks, contract, level),
    probes: createProbeSource(operations, context, isMeant),
    validators,
  };
}

/** Lists the probes of a contract as of a level. */
export function probesOf(contract: ContractDocument, states: StatesCatalogue): Probe[] {
  const operations = operationsById(contract, listCases(contract));
  return [...createProbeSource(operations, contextOf(contract, operations, states))];
}

function operationsById(contract: ContractDocument, cases: readonly Case[]): ReadonlyMap<string, ProbedOperation> {
  return new Map(listProbedOperations(contract, cases).map((one) => [one.operationId, one]));
}

function contextOf(
  contract: ContractDocument,
  operations: ReadonlyMap<string, ProbedOperation>,
  catalogue: StatesCatalogue,
): CaseContext {
  return {
    catalogue,
    plain: plainCaller(contract),
    errorCode: conventionsOf(contract).error?.code,
    readBack: findReadBack(contract),
    needsLogin: (operationId) => operations.get(operationId)?.needsLogin !== false,
  };
}
