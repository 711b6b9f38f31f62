import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import type { Case } from "../../contract/cases.js";
import type { ContractDocument } from "../../contract/document.js";
import { atFeatureLevel } from "../../contract/level/at-feature-level.js";
import { casesAtLevel } from "../../contract/level/cases-at-level.js";
import { loadContract } from "../../contract/load-contract.js";
import { listRules, type Rule } from "../../contract/rules.js";
import { readPackage } from "../../read-package.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { createSelection } from "../create-selection.js";
import type { RunOptions } from "../run-options.js";
import type { ReportedRule, VerifyReport } from "../verify-report.js";
import type { ResponseValidators } from "./compare-response.js";
import { compileValidators } from "./compile-validators.js";
import { runDredd } from "./dredd/run-dredd.js";
import { listProbes } from "./probes/list-probes.js";
import { runProbes } from "./probes/run-probes.js";
import { readServerLevel } from "./read-server-level.js";
import { serverOrigin } from "./server-origin.js";
import { listWorkflows, workflowIdentity } from "./workflows/list-workflows.js";
import { runWorkflows } from "./workflows/run-workflows.js";

/** Which chat server is verified, and how. */
export interface VerifyChatOptions extends RunOptions {
  /** Where the API is, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** Where provider states are set up. Without it, what needs them is left out. */
  readonly statesUrl?: string;
  /** The feature level whose contract is applied. Defaults to the one that the server tells. */
  readonly level?: number;
}

/**
 * Checks a chat server against the contract of its feature level: by the cases, which Dredd runs, by the workflows, which Respect runs,
 * and by probes that follow from the schemas.
 *
 * Rejects with a `CouldNotRunError` when the server does not answer, when a URL is malformed, when nothing matches `only`, and when a
 * tool is not installed.
 */
export async function verifyChat(options: VerifyChatOptions): Promise<VerifyReport> {
  const { statesUrl, jobs, seed, timeoutMs } = options;
  const url = serverOrigin(options.url);
  const told = options.level ?? (await readServerLevel(url, timeoutMs, options.signal));
  // What is newer than the contract does not take away what the contract has.
  const level = Math.min(told, newestLevel);
  const { newest, contract, cases, validators } = await contractOf(level);
  const isSelected = createSelection(options);
  const chosenCases = cases.filter((one) =>
    isSelected({ id: caseId(one), operation: one.operationId, rules: rulesOf(one) }),
  );
  const workflows = listWorkflows(newest, contract).filter((one) => isSelected(workflowIdentity(one)));
  const probes = listProbes(contract).filter(({ id, operationId, rules }) =>
    isSelected({ id, operation: operationId, rules }),
  );
  const count = chosenCases.length + workflows.length + probes.length;
  if (count === 0) throw new CouldNotRunError("No check of the contract has such a name");
  const recorder = createRecorder(options);
  recorder.plan(count);
  const { signal, add: onCheck } = recorder;
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }) };
  const means = { ...server, contract, level, jobs, timeoutMs, signal, onCheck };
  if (!signal.aborted) await runDredd(chosenCases, means);
  if (!signal.aborted) await runWorkflows(workflows, { ...means, validators });
  if (!signal.aborted) await runProbes({ ...means, validators, seed, isSelected });
  return recorder.report({
    contract: "chat",
    version: readPackage()?.version ?? "unknown",
    target: options.url,
    level,
    rules: listRules(contract).map(toReportedRule),
  });
}

interface ContractOfLevel {
  /** The contract with all levels. */
  readonly newest: ContractDocument;
  /** As of the level. */
  readonly contract: ContractDocument;
  readonly cases: readonly Case[];
  readonly validators: ResponseValidators;
}

async function contractOf(level: number): Promise<ContractOfLevel> {
  const newest = await loadContract();
  const contract = atFeatureLevel(newest, level);
  const validators = level === newestLevel ? responseValidators : await compileValidators(contract);
  return { newest, contract, cases: casesAtLevel(newest, level), validators };
}

function caseId({ operationId, name }: Case): string {
  return `case ${operationId}/${name}`;
}

function rulesOf({ rule, also }: Case): string[] {
  return [rule, ...also];
}

function toReportedRule({ id, text, untestable }: Rule): ReportedRule {
  const [resource = id] = id.split(".", 1);
  return { id, text, resource, ...(untestable === undefined ? {} : { untestable }) };
}
