import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import type { Case } from "../../contract/chat/cases.js";
import { loadContract } from "../../contract/chat/contract-file.js";
import type { ContractDocument } from "../../contract/chat/document.js";
import { atFeatureLevel } from "../../contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../contract/chat/level/cases-at-level.js";
import type { ReadWorkflow } from "../../contract/chat/workflows.js";
import { compileValidators } from "./compile-validators.js";
import { listProbes } from "./probes/list-probes.js";
import type { Probe } from "./probes/probe.js";
import type { ResponseValidators } from "./response-validators.js";
import { listWorkflows } from "./workflows/list-workflows.js";

/** The contract as of a feature level, and all that can be checked of it. */
export interface ContractOfLevel {
  readonly contract: ContractDocument;
  readonly cases: readonly Case[];
  readonly workflows: readonly ReadWorkflow[];
  readonly probes: readonly Probe[];
  readonly validators: ResponseValidators;
}

/** What was asked for last. Reading it takes longer than many a check, and whoever verifies often stays at one level. */
let last: { readonly level: number; readonly loading: Promise<ContractOfLevel> } | undefined;

/** The contract of this package as of a level, which is none beyond the newest. It is shared, and not to be changed. */
export function contractOfLevel(level: number): Promise<ContractOfLevel> {
  if (last?.level === level) return last.loading;
  const asked = { level, loading: readContract(level) };
  last = asked;
  asked.loading.catch(() => {
    if (last === asked) last = undefined;
  });
  return asked.loading;
}

async function readContract(level: number): Promise<ContractOfLevel> {
  const newest = await loadContract();
  const contract = atFeatureLevel(newest, level);
  return {
    contract,
    cases: casesAtLevel(newest, level),
    workflows: listWorkflows(newest, contract),
    probes: listProbes(contract),
    validators: level === newestLevel ? responseValidators : await compileValidators(contract),
  };
}
