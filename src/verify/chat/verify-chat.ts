import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { Case } from "../../contract/chat/cases.js";
import { findReadBack, type ReadBack } from "../../contract/chat/read-back.js";
import { contractVersions, packageVersion } from "../../versions.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { type CheckToRun, createSelection, reportedShard, requireSelection } from "../create-selection.js";
import { createSlots } from "../create-slots.js";
import type { RunOptions } from "../run-options.js";
import { requireInteger, resolveRunOptions, resolveSeed } from "../run-options.js";
import type { VerifyReport } from "../verify-report.js";
import { toReportedRule } from "../verify-report.js";
import { contractAtLevel } from "./contract-at-level.js";
import { rulesOfCase, runDredd } from "./dredd/run-dredd.js";
import { discountSuccesses } from "./judge/discount-successes.js";
import type { Probe } from "./probes/probe.js";
import { runProbes } from "./probes/run-probes.js";
import { rulesAtLevel } from "./rules-at-level.js";
import { runScript, scriptedCheck, scriptedWorkflows } from "./scripted/run-script.js";
import { requirePrerequisites } from "./server/prerequisites.js";
import { readServerSettings, type ServerSettings } from "./server/read-server-settings.js";
import { createServerPresence } from "./server/server-presence.js";
import { serverBaseUrl, statesEndpoint } from "./server/server-urls.js";
import { settleAll } from "./tool/temporary-folder.js";
import { runTusCheck, tusCheck, tusWorkflow } from "./tus/run-tus-check.js";
import { workflowIdentity } from "./workflows/list-workflows.js";
import { runWorkflows } from "./workflows/run-workflows.js";

/** The chat server to verify, and how. */
export interface VerifyChatOptions extends RunOptions {
  /** The URL of the API, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The URL for setups of provider states. Without it, checks that need them are skipped. */
  readonly statesUrl?: string;
  /**
   * The feature level whose contract applies, at most the newest that the contract knows. Defaults to the level that the server
   * reports, or the newest known one if the server is newer.
   */
  readonly level?: number;
  /** The seed of the random requests, an integer from 0 to 2^31 - 1. Defaults to a random one, which the report contains. */
  readonly seed?: number;
}

/**
 * Checks a chat server against the contract of its feature level: runs the cases with Dredd, the workflows with Respect, and probes
 * derived from the schemas.
 *
 * Rejects with a `CouldNotRunError` if the server does not respond or cannot set up provider states, a URL is malformed, an option is out
 * of bounds, the selection is empty, a tool is not installed, or the run is stopped before the first check.
 */
export async function verifyChat(options: VerifyChatOptions): Promise<VerifyReport> {
  const { jobs, timeoutMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const url = serverBaseUrl(options.url);
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readServerSettings(url, { timeoutMs, signal: options.signal }))
      : { level: options.level };
  const serverLevel = settings.level;
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(serverLevel, newestLevel);
  const { contract, cases, workflows: allWorkflows, probes: allProbes, validators } = await contractAtLevel(level);
  const rules = rulesAtLevel(contract, level);
  const resumption = [tusWorkflow(rules) ?? []].flat().map(tusCheck);
  const readBack = findReadBack(contract);
  const toRun = (one: Case) => caseToRun(one, readBack);
  const scripted = scriptedWorkflows(contract);
  const all = [
    ...cases.map(toRun),
    ...allWorkflows.map(workflowIdentity),
    ...resumption,
    ...scripted.map(scriptedCheck),
    ...allProbes.map(probeToRun),
  ];
  requireSelection(options, all);
  const isSelected = createSelection(options, all);
  const shard = reportedShard(options, all);
  const chosenCases = cases.filter((one) => isSelected(toRun(one)));
  const workflows = allWorkflows.filter((one) => isSelected(workflowIdentity(one)));
  const probes = allProbes.filter((probe) => isSelected(probeToRun(probe)));
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }) };
  const limits = { timeoutMs, signal: options.signal ?? new AbortController().signal };
  await beforeStop(options, requirePrerequisites({ cases: chosenCases, workflows, probes }, server, limits));
  const recorder = createRecorder(options, rules);
  recorder.plan(all.filter(isSelected).length);
  const { signal, add: onCheck } = recorder;
  const presence = createServerPresence();
  const shared = { ...server, contract, level, timeoutMs, signal, presence, onCheck };
  const scriptOptions = { ...server, contract, level, timeoutMs, isNewer: serverLevel > newestLevel };
  // Dredd and Respect are mostly busy starting and waiting, so the parts of a run overlap as far as `jobs` allows.
  const { hold } = createSlots(jobs);
  const [caseJobs, workflowJobs] = [Math.max(1, Math.floor(jobs / 2)), Math.max(1, Math.floor(jobs / 4))];
  await settleAll([
    hold(caseJobs, async () => {
      if (!signal.aborted) await runDredd(chosenCases, { ...shared, jobs: caseJobs });
    }),
    hold(workflowJobs, async () => {
      if (!signal.aborted) await runWorkflows(workflows, { ...shared, jobs: workflowJobs, validators });
      for (const selected of resumption.filter(isSelected)) {
        const check = signal.aborted ? undefined : await runTusCheck(selected, { ...server, timeoutMs, signal });
        if (check !== undefined) onCheck(check);
      }
    }),
    ...scripted
      .filter((workflow) => isSelected(scriptedCheck(workflow)))
      .map((workflow) =>
        hold(1, async () => {
          const check = signal.aborted ? undefined : await runScript(workflow, { ...scriptOptions, signal });
          if (check !== undefined) onCheck(check);
        }),
      ),
    runProbes({ ...shared, probes, jobs, validators, seed, hold: (work) => hold(1, work) }),
  ]);
  const report = recorder.report({
    contract: "chat",
    version: contractVersions.chat,
    packageVersion,
    target: options.url,
    level,
    seed,
    ...(settings.version === undefined ? {} : { serverVersion: settings.version }),
    ...(shard === undefined ? {} : { shard }),
    rules: rules.map(toReportedRule),
    existing: new Set(all.map(({ id }) => id)),
  });
  return { ...report, checks: discountSuccesses(report.checks, { cases, workflows, probes }) };
}

/** Throws a `CouldNotRunError` instead of any other error if the run was stopped before the first check. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? new CouldNotRunError("It was stopped before the first check") : error;
  });
}

function caseToRun(one: Case, readBack: ReadBack | undefined): CheckToRun {
  const { operationId, name } = one;
  return { id: `case ${operationId}/${name}`, operation: operationId, rules: rulesOfCase(one, readBack) };
}

function probeToRun({ id, operationId, rules }: Probe): CheckToRun {
  return { id, operation: operationId, rules };
}
