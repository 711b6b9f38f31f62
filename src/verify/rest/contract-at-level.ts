import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import type { Check } from "../../contract/check.js";
import { type Case, listCases } from "../../contract/rest/cases.js";
import { loadContract } from "../../contract/rest/contract-file.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { atFeatureLevel } from "../../contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../../contract/rest/level/cases-at-level.js";
import { workflowsAtLevel } from "../../contract/rest/level/workflows-at-level.js";
import { findReadBack } from "../../contract/rest/read-back.js";
import { loadWorkflows } from "../../contract/rest/workflows.js";
import { listProbes } from "../derive/list-probes.js";
import type { RandomProbe } from "../derive/parameter-probes.js";
import { listProbedOperations, type ProbedOperation } from "../derive/probed-operation.js";
import { compileValidators, type ResponseValidators } from "../judge/validators.js";
import type { CodeCheck } from "../run/define-check.js";
import { loadStatesCatalogue } from "../states/catalogue.js";
import { type CaseContext, caseCheck } from "./case-checks.js";
import { codeChecksOf } from "./load-code-checks.js";
import { withoutNewRequirements } from "./without-new-requirements.js";

/** The checks of a contract. */
export interface CheckSources {
  /** Cases and workflows. */
  readonly checks: readonly Check[];
  readonly probes: readonly (Check | RandomProbe)[];
}

/** The contract as of a feature level, with the sources of its checks. */
export interface ContractAtLevel extends CheckSources {
  readonly cases: readonly Case[];
  readonly contract: ContractDocument;
  readonly codeChecks: readonly CodeCheck[];
  readonly validators: ResponseValidators;
  readonly context: CaseContext;
  /** By their ids. */
  readonly operations: ReadonlyMap<string, ProbedOperation>;
}

/** The last result. Loading takes longer than many checks, and repeated verifications usually use one level. */
let last: { readonly level: number; readonly loading: Promise<ContractAtLevel> } | undefined;

/** Loads the contract of this package as of a level, at most the newest. The result is shared, so callers must not modify it. */
export function contractAtLevel(level: number): Promise<ContractAtLevel> {
  if (last?.level === level) return last.loading;
  const current = { level, loading: readContract(level) };
  last = current;
  current.loading.catch(() => {
    if (last === current) last = undefined;
  });
  return current.loading;
}

async function readContract(level: number): Promise<ContractAtLevel> {
  const newest = await loadContract();
  const contract = withoutNewRequirements(atFeatureLevel(newest, level), level);
  const cases = casesAtLevel(newest, level);
  const operations = new Map(listProbedOperations(contract, cases).map((one) => [one.operationId, one]));
  const context = await contextOf(contract, operations);
  const workflows = workflowsAtLevel(await loadWorkflows(), newest, contract);
  return {
    contract,
    cases,
    operations,
    checks: [...workflows, ...cases.map((one) => caseCheck(one, context))],
    context,
    codeChecks: await codeChecksOf(contract),
    probes: await probesOf(contract),
    validators: level === newestLevel ? responseValidators : compileValidators(contract),
  };
}

/** Lists the probes of a contract as of a level. */
export async function probesOf(contract: ContractDocument): Promise<(Check | RandomProbe)[]> {
  const operations = listProbedOperations(contract, listCases(contract));
  return listProbes(operations, await contextOf(contract, new Map(operations.map((one) => [one.operationId, one]))));
}

async function contextOf(
  contract: ContractDocument,
  operations: ReadonlyMap<string, ProbedOperation>,
): Promise<CaseContext> {
  return {
    catalogue: await loadStatesCatalogue(),
    readBack: findReadBack(contract),
    needsLogin: (operationId) => operations.get(operationId)?.needsLogin !== false,
  };
}
