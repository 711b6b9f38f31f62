import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { Case } from "../../contract/chat/cases.js";
import { listRules } from "../../contract/chat/rules.js";
import { readPackage } from "../../read-package.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { type CheckToRun, createSelection, requireSelection } from "../create-selection.js";
import { type RunOptions, requireInteger, resolveRunOptions, resolveSeed } from "../run-options.js";
import { toReportedRule, type VerifyReport } from "../verify-report.js";
import { contractOfLevel } from "./contract-of-level.js";
import { createServerPresence } from "./create-server-presence.js";
import { discountSuccesses } from "./discount-successes.js";
import { runDredd } from "./dredd/run-dredd.js";
import type { Probe } from "./probes/probe.js";
import { runProbes } from "./probes/run-probes.js";
import { readServerLevel } from "./read-server-level.js";
import { requireMeans } from "./require-means.js";
import { serverOrigin } from "./server-origin.js";
import { statesEndpoint } from "./states-endpoint.js";
import { runTusCheck } from "./tus/run-tus-check.js";
import { tusCheck, tusRules } from "./tus/tus-check.js";
import { workflowIdentity } from "./workflows/list-workflows.js";
import { runWorkflows } from "./workflows/run-workflows.js";

/** Which chat server is verified, and how. */
export interface VerifyChatOptions extends RunOptions {
  /** Where the API is, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** Where provider states are set up. Without it, what needs them is left out. */
  readonly statesUrl?: string;
  /**
   * The feature level whose contract is applied, at most the newest that the contract knows. Defaults to the one that the server tells,
   * or the newest when that is newer.
   */
  readonly level?: number;
  /** With it, an integer from 0 to 2^31 - 1, the same random requests are made again. Defaults to a random one, which the report tells. */
  readonly seed?: number;
}

/**
 * Checks a chat server against the contract of its feature level: by the cases, which Dredd runs, by the workflows, which Respect runs,
 * and by probes that follow from the schemas.
 *
 * Rejects with a `CouldNotRunError` when the server does not answer or cannot set up provider states, when a URL is malformed, when an
 * option is out of its bounds, when the selection leads to nothing, when a tool is not installed, and when it is stopped before the first
 * check.
 */
export async function verifyChat(options: VerifyChatOptions): Promise<VerifyReport> {
  const { jobs, timeoutMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const url = serverOrigin(options.url);
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const told = options.level ?? (await beforeStop(options, readServerLevel(url, timeoutMs, options.signal)));
  // What is newer than the contract does not take away what the contract has.
  const level = Math.min(told, newestLevel);
  const { contract, cases, workflows: allWorkflows, probes: allProbes, validators } = await contractOfLevel(level);
  const rules = listRules(contract);
  const resumption = rules.some(({ id }) => tusRules.includes(id)) ? [tusCheck] : [];
  const all = [
    ...cases.map(caseToRun),
    ...allWorkflows.map(workflowIdentity),
    ...resumption,
    ...allProbes.map(probeToRun),
  ];
  requireSelection(options, all);
  const isSelected = createSelection(options);
  const chosenCases = cases.filter((one) => isSelected(caseToRun(one)));
  const workflows = allWorkflows.filter((one) => isSelected(workflowIdentity(one)));
  const probes = allProbes.filter((probe) => isSelected(probeToRun(probe)));
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }) };
  const limits = { timeoutMs, signal: options.signal ?? new AbortController().signal };
  await beforeStop(options, requireMeans({ cases: chosenCases, workflows, probes }, server, limits));
  const recorder = createRecorder(options);
  recorder.plan(all.filter(isSelected).length);
  const { signal, add: onCheck } = recorder;
  const presence = createServerPresence();
  const means = { ...server, contract, level, jobs, timeoutMs, signal, presence, onCheck };
  if (!signal.aborted) await runDredd(chosenCases, means);
  if (!signal.aborted) await runWorkflows(workflows, { ...means, validators });
  if (!signal.aborted && resumption.some(isSelected)) {
    const check = await runTusCheck({ ...server, timeoutMs, signal });
    if (check !== undefined) onCheck(check);
  }
  if (!signal.aborted) await runProbes({ ...means, validators, seed, isSelected });
  const report = recorder.report({
    contract: "chat",
    version: readPackage()?.version ?? "unknown",
    target: options.url,
    level,
    seed,
    rules: rules.map(toReportedRule),
    existing: new Set(all.map(({ id }) => id)),
  });
  return { ...report, checks: discountSuccesses(report.checks, { cases, workflows, probes }) };
}

/** When a run is stopped this early, there is nothing to report. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? new CouldNotRunError("It was stopped before the first check") : error;
  });
}

function caseToRun({ operationId, name, rule, also }: Case): CheckToRun {
  return { id: `case ${operationId}/${name}`, operation: operationId, rules: [rule, ...also] };
}

function probeToRun({ id, operationId, rules }: Probe): CheckToRun {
  return { id, operation: operationId, rules };
}
