import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import type { Case } from "../../contract/chat/cases.js";
import { loadContract } from "../../contract/chat/contract-file.js";
import type { ContractDocument } from "../../contract/chat/document.js";
import { atFeatureLevel } from "../../contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../contract/chat/level/cases-at-level.js";
import type { ReadWorkflow } from "../../contract/chat/workflows.js";
import { compileValidators, type ResponseValidators } from "./judge/validators.js";
import { listProbes } from "./probes/list-probes.js";
import type { Probe } from "./probes/probe.js";
import { withoutNewRequirements } from "./without-new-requirements.js";
import { listWorkflows } from "./workflows/list-workflows.js";

/** The sources of the checks of a run. */
export interface CheckSources {
  readonly cases: readonly Case[];
  readonly workflows: readonly ReadWorkflow[];
  readonly probes: readonly Probe[];
}

/** The contract as of a feature level, with the sources of its checks. */
export interface ContractAtLevel extends CheckSources {
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
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
  return {
    contract,
    cases: casesAtLevel(newest, level),
    workflows: listWorkflows(newest, contract),
    probes: listProbes(contract),
    validators: level === newestLevel ? responseValidators : compileValidators(contract),
  };
}
