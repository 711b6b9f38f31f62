import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { type ReadWorkflow, workflowFolder } from "../../../contract/chat/workflows.js";
import type { Check, CheckOutcome } from "../../check.js";
import { defaultRunOptions } from "../../run-options.js";
import { serverDownReason } from "../../server-down.js";
import type { ResponseValidators } from "../judge/validators.js";
import { createServerPresence, type ServerPresence } from "../server/server-presence.js";
import { needsStatesReason } from "../states/case-setup.js";
import { loadStatesCatalogue } from "../states/catalogue.js";
import { settleAll, withTemporaryFolder } from "../tool/temporary-folder.js";
import { judgeWorkflow, type WorkflowContext } from "./judge-workflow.js";
import { workflowIdentity } from "./list-workflows.js";
import { respectContract } from "./respect-contract.js";
import { findRedocly, type RespectRun, runRespect } from "./respect-process.js";
import type { StartedWorkflow } from "./respect-progress.js";

/** Options of a run of workflows. */
export interface RunWorkflowsOptions {
  /** The URL of the chat server, such as `http://127.0.0.1:4010`, without `/api/v1`. */
  readonly url: string;
  /** The URL of the provider states. Without it, workflows that need them are skipped. */
  readonly statesUrl?: string;
  /** The contract as of the server's level. */
  readonly contract: ContractDocument;
  /** The response validators of that contract. */
  readonly validators: ResponseValidators;
  /** The maximum number of processes that share the workflows. Defaults to 2. */
  readonly jobs?: number;
  /** How long each request may take, in milliseconds; the first timeout ends its workflow. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Ends the run. Unfinished workflows are not reported. */
  readonly signal?: AbortSignal;
  /** Tracks whether the server responds; aborts the run when it does not. Defaults to one for this run. */
  readonly presence?: ServerPresence;
  /** Called with each check once its process has ended. */
  readonly onCheck?: (check: Check) => void;
}

/** Starting a process takes longer than running this many workflows. */
const minWorkflowsPerProcess = 20;
/** How often `respect` is restarted after it ended without a report; each restart omits the workflow during which it ended. */
const maxRestarts = 2;

/**
 * Runs workflows with `redocly respect` and returns one check each, in any order: `workflow <workflowId>`. `listWorkflows` lists those
 * that apply at a level. Each workflow sets up its own organization, so they can run concurrently.
 *
 * Rejects with a `CouldNotRunError` if Redocly, an optional peer dependency, is not installed.
 */
export async function runWorkflows(workflows: readonly ReadWorkflow[], options: RunWorkflowsOptions): Promise<Check[]> {
  const { url, statesUrl, contract, validators, jobs = 2, timeoutMs = defaultRunOptions.timeoutMs, onCheck } = options;
  const { signal, presence = createServerPresence() } = options;
  const checks: Check[] = [];
  const add = (workflow: ReadWorkflow, outcome: CheckOutcome, durationMs = 0) => {
    const check = toCheck(workflow, outcome, durationMs);
    checks.push(check);
    onCheck?.(check);
  };
  const isRunnable = ({ states }: ReadWorkflow) => statesUrl !== undefined || states.length === 0;
  for (const workflow of workflows.filter((candidate) => !isRunnable(candidate))) {
    add(workflow, { kind: "skipped", reason: needsStatesReason });
  }
  const runnable = workflows.filter(isRunnable);
  if (runnable.length === 0) return checks;
  const script = findRedocly();
  await withTemporaryFolder(async (folder) => {
    await writeFile(join(folder, "chat.yaml"), respectContract(contract));
    await writeFile(join(folder, "states.yaml"), respectContract(await loadStatesCatalogue()));
    await mkdir(join(folder, "behaviour"));
    // The files that workflows upload. A junction needs no privileges on Windows.
    await symlink(join(workflowFolder, "files"), join(folder, "behaviour/files"), "junction");
    const run: RespectRun = {
      script,
      folder,
      apiUrl: `${url}/api/v1`,
      timeoutMs,
      signal: signal === undefined ? presence.signal : AbortSignal.any([signal, presence.signal]),
      ...(statesUrl === undefined ? {} : { statesUrl: statesUrl.replace(/\/+$/, "").replace(/\/states$/, "") }),
      onOver: ({ isUnanswered }, hasTimedOut) => {
        // Without a timeout, there may have been a response that is not JSON, which only the report shows.
        if (hasTimedOut || !isUnanswered) presence.note(!isUnanswered);
      },
    };
    const context = { ...run, contract, validators };
    const parts = share(runnable, Math.max(1, Math.min(jobs, Math.floor(runnable.length / minWorkflowsPerProcess))));
    await settleAll(
      parts.map((part, index) => runPart(part, `part-${index}`, { run, context, presence, add, signal })),
    );
  });
  return checks;
}

/** Divides workflows into parts with about equally many steps, and keeps those of a file together. */
function share(workflows: readonly ReadWorkflow[], parts: number): ReadWorkflow[][] {
  const stepsIn = (list: readonly ReadWorkflow[]) => list.reduce((sum, { steps }) => sum + steps.length, 0);
  const files = [...new Set(workflows.map(({ file }) => file))]
    .map((file) => workflows.filter((workflow) => workflow.file === file))
    .sort((a, b) => stepsIn(b) - stepsIn(a));
  const shares: ReadWorkflow[][] = Array.from({ length: Math.min(parts, files.length) }, () => []);
  for (const file of files) {
    const [smallest] = [...shares].sort((a, b) => stepsIn(a) - stepsIn(b));
    smallest?.push(...file);
  }
  return shares;
}

/** The context that all parts of a run share. */
interface PartRun {
  readonly run: RespectRun;
  readonly context: Omit<WorkflowContext, "secrets">;
  readonly presence: ServerPresence;
  readonly add: (workflow: ReadWorkflow, outcome: CheckOutcome, durationMs?: number) => void;
  readonly signal: AbortSignal | undefined;
}

async function runPart(workflows: readonly ReadWorkflow[], name: string, shared: PartRun): Promise<void> {
  const { run, context, presence, add, signal } = shared;
  let remaining = [...workflows];
  for (let start = 0; remaining.length > 0; start++) {
    const { report, end, started } = await runRespect(remaining, `${name}-${start}`, run);
    if (signal?.aborted) return;
    const files = Object.values(report?.files ?? {});
    const secrets = files.flatMap(({ secretValues = [] }) => secretValues);
    const results = new Map(
      files.flatMap(({ executedWorkflows }) => executedWorkflows.map((executed) => [executed.workflowId, executed])),
    );
    const unfinished = started.at(-1)?.workflowId;
    const isLast = report !== undefined || unfinished === undefined || start >= maxRestarts || presence.isGone;
    const settled = isLast ? remaining : remaining.filter(({ workflowId }) => workflowId === unfinished);
    for (const workflow of settled) {
      const result = results.get(workflow.workflowId);
      if (result === undefined) {
        const reason = presence.isGone
          ? describeLoss(started.find(({ workflowId }) => workflowId === workflow.workflowId))
          : `redocly respect did not report this workflow: ${end}`;
        add(workflow, { kind: "errored", reason, trace: [] });
      } else {
        const { outcome, isAnswered } = await judgeWorkflow(workflow, result, { ...context, secrets });
        presence.note(isAnswered);
        add(workflow, outcome, result.endTime - result.startTime);
      }
    }
    remaining = remaining.filter((workflow) => !settled.includes(workflow));
  }
}

/** Describes why a workflow has no result: its process was ended because the server was gone. */
function describeLoss(workflow: StartedWorkflow | undefined): string {
  if (workflow === undefined) return serverDownReason;
  if (workflow.isUnanswered || !workflow.isOver) return "no answer";
  return "its result was lost, because the server stopped responding before the run finished";
}

function toCheck(workflow: ReadWorkflow, outcome: CheckOutcome, durationMs: number): Check {
  return { ...workflowIdentity(workflow), kind: "workflow", summary: workflow.summary, outcome, durationMs };
}
