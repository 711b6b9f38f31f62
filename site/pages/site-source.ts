import { loadContract, loadWorkflows } from "../../src/chat/contract.js";
import { type Case, listCases } from "../../src/contract/rest/cases.js";
import { workflowsAtLevel } from "../../src/contract/rest/level/workflows-at-level.js";
import { listOperations } from "../../src/contract/rest/operations.js";
import { type CoveredRule, coverRules } from "../../src/contract/rest/rule-coverage.js";
import { listRules } from "../../src/contract/rest/rules.js";
import { coveredBy, type Workflow, workflowName } from "../../src/contract/rest/workflows.js";
import type { RpcCases } from "../../src/contract/rpc/cases.js";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import { loadCodeChecks } from "../../src/verify/rest/load-code-checks.js";
import type { CodeCheck } from "../../src/verify/run/define-check.js";
import { createLevelViews, type LevelViews } from "../levels/level-views.js";

import { listOperationParts, type OperationParts } from "../parts/operation-parts.js";

/** The sources of the pages. */
export interface SiteSource {
  readonly views: LevelViews;
  readonly operations: readonly OperationParts[];
  /** The cases of all levels. */
  readonly cases: readonly Case[];
  /** The cases as of each level with changes. */
  readonly casesAt: (level: number) => readonly Case[];
  readonly workflows: readonly Workflow[];
  /** The names of the workflows that apply at a level. */
  readonly workflowsAt: (level: number) => ReadonlySet<string>;
  readonly coverage: ReadonlyMap<string, CoveredRule>;
  /** The page of each rule, relative to the root of the site. */
  readonly pageOfRule: ReadonlyMap<string, string>;
  readonly daemon: RpcCases;
  /** The checks in code beside the contract. */
  readonly codeChecks: readonly CodeCheck[];
}

/** Reads the contracts and the files that are generated from them. */
export async function readSiteSource(): Promise<SiteSource> {
  const [whole, daemon, workflows] = await Promise.all([loadContract(), loadDaemonCases(), loadWorkflows()]);
  const views = createLevelViews(whole);
  const cases = listCases(whole);
  const casesByLevel = new Map(views.levels.map((level) => [level, listCases(views.at(level))]));
  const workflowsByLevel = new Map(
    views.levels.map((level) => [
      level,
      new Set(workflowsAtLevel(workflows, whole, views.at(level)).map(workflowName)),
    ]),
  );
  const covered = coverRules(listRules(whole), cases, workflows.map(coveredBy));
  const pageOfRule = new Map<string, string>();
  for (const { id } of whole["x-rules"] ?? []) pageOfRule.set(id, conventionsPage);
  for (const { operation } of listOperations(whole)) {
    for (const { id } of operation["x-rules"] ?? []) pageOfRule.set(id, operationPage(operation.operationId));
  }
  const markOf = (level: number) => views.levels.findLast((known) => known <= level) ?? 0;
  return {
    views,
    operations: listOperationParts(views),
    cases,
    casesAt: (level) => casesByLevel.get(markOf(level)) ?? [],
    workflows,
    workflowsAt: (level) => workflowsByLevel.get(markOf(level)) ?? new Set(),
    coverage: new Map(covered.map((one) => [one.rule.id, one])),
    pageOfRule,
    daemon,
    codeChecks: await loadCodeChecks(new URL("../../openapi/checks/", import.meta.url)),
  };
}

/** The page of the rules that are not specific to one operation. */
export const conventionsPage = "chat/conventions.html";

/** The page of an operation. */
export function operationPage(operationId: string): string {
  return `chat/${operationId}.html`;
}

/** The page of the workflows of a resource. */
export function workflowPage(resource: string): string {
  return `workflows/${resource}.html`;
}
