import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContractDocument, type ResponseObject, resolve } from "../../../contract/chat/document.js";
import { openapiFile } from "../../../contract/chat/openapi-file.js";
import { listOperations } from "../../../contract/chat/operations.js";
import { type ReadWorkflow, workflowFolder } from "../../../contract/chat/workflows.js";
import type { Check, CheckOutcome } from "../../check.js";
import { defaultRunOptions } from "../../run-options.js";
import { serverDownReason } from "../../server-down.js";
import { createServerPresence, type ServerPresence } from "../create-server-presence.js";
import { needsStatesReason } from "../needs-states.js";
import type { ResponseValidators } from "../response-validators.js";
import { settleAll } from "../tool/settle-all.js";
import { withTemporaryFolder } from "../tool/temporary-folder.js";
import { judgeWorkflow, type WorkflowJudgement } from "./judge-workflow.js";
import { workflowIdentity } from "./list-workflows.js";
import type { BegunWorkflow } from "./read-progress.js";
import { findRedocly, type RespectMeans, runRespect } from "./respect-process.js";

/** How workflows are run. */
export interface RunWorkflowsOptions {
  /** Where the chat API is, such as `http://127.0.0.1:4010`, without `/api/v1`. */
  readonly url: string;
  /** Where the provider states are. Without it, workflows that set some up are left out. */
  readonly statesUrl?: string;
  /** The contract as of the level of the server. */
  readonly contract: ContractDocument;
  /** Its response validators. */
  readonly validators: ResponseValidators;
  /** How many processes share the workflows at most. Defaults to 2. */
  readonly jobs?: number;
  /** How long each request of a workflow may take; a workflow ends with the first that takes longer. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Ends the run. What is under way then is no check any more. */
  readonly signal?: AbortSignal;
  /** Is told whether the server answers, and ends the run when it does not. By default made for this run. */
  readonly presence?: ServerPresence;
  /** Is told of each check as soon as it is known, which is when its process has ended. */
  readonly onCheck?: (check: Check) => void;
}

/** A process takes longer to start than this many workflows to run. */
const leastWorkflows = 20;
/** So often `respect` is started again when it has written no report, without the workflow that it broke off in. */
const mostRestarts = 2;

/**
 * Runs workflows with `redocly respect` and gives what came of each, in any order: `workflow <workflowId>`. Which of them a server of
 * a level keeps, `listWorkflows` tells. Each sets its own organization up, so that they can run at the same time.
 *
 * Rejects with a `CouldNotRunError` when Redocly, an optional peer dependency, is not installed.
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
  for (const workflow of workflows.filter((one) => !isRunnable(one))) {
    add(workflow, { kind: "skipped", reason: needsStatesReason });
  }
  const runnable = workflows.filter(isRunnable);
  if (runnable.length === 0) return checks;
  const script = findRedocly();
  await withTemporaryFolder(async (folder) => {
    await writeFile(join(folder, "chat.yaml"), JSON.stringify(withoutResponseExamples(contract)));
    await copyFile(openapiFile("states.yaml"), join(folder, "states.yaml"));
    await mkdir(join(folder, "behaviour"));
    // Workflows upload these. A junction needs no privileges on Windows.
    await symlink(join(workflowFolder, "files"), join(folder, "behaviour/files"), "junction");
    const means: RespectMeans = {
      script,
      folder,
      apiUrl: `${url}/api/v1`,
      timeoutMs,
      signal: signal === undefined ? presence.signal : AbortSignal.any([signal, presence.signal]),
      ...(statesUrl === undefined ? {} : { statesUrl: statesUrl.replace(/\/+$/, "").replace(/\/states$/, "") }),
      onOver: ({ isUnanswered }, hasWaited) => {
        // What got no answer without waiting is judged when the report is there: it may have been no JSON.
        if (hasWaited || !isUnanswered) presence.note(!isUnanswered);
      },
    };
    const judgement = { ...means, contract, validators };
    const parts = share(runnable, Math.max(1, Math.min(jobs, Math.floor(runnable.length / leastWorkflows))));
    await settleAll(
      parts.map((part, index) => runPart(part, `part-${index}`, { means, judgement, presence, add, signal })),
    );
  });
  return checks;
}

/** Shares workflows out, those of a file together, so that each part has about as many steps. */
function share(workflows: readonly ReadWorkflow[], parts: number): ReadWorkflow[][] {
  const stepsIn = (list: readonly ReadWorkflow[]) => list.reduce((sum, { steps }) => sum + steps.length, 0);
  const files = [...new Set(workflows.map(({ file }) => file))]
    .map((file) => workflows.filter((workflow) => workflow.file === file))
    .sort((a, b) => stepsIn(b) - stepsIn(a));
  const shares: ReadWorkflow[][] = Array.from({ length: Math.min(parts, files.length) }, () => []);
  for (const file of files) {
    const [least] = [...shares].sort((a, b) => stepsIn(a) - stepsIn(b));
    least?.push(...file);
  }
  return shares;
}

/** What runs workflows, and what becomes of them. */
interface PartRun {
  readonly means: RespectMeans;
  readonly judgement: Omit<WorkflowJudgement, "secrets">;
  readonly presence: ServerPresence;
  readonly add: (workflow: ReadWorkflow, outcome: CheckOutcome, durationMs?: number) => void;
  readonly signal: AbortSignal | undefined;
}

async function runPart(workflows: readonly ReadWorkflow[], name: string, run: PartRun): Promise<void> {
  const { means, judgement, presence, add, signal } = run;
  let left = [...workflows];
  for (let start = 0; left.length > 0; start++) {
    const { report, end, begun } = await runRespect(left, `${name}-${start}`, means);
    if (signal?.aborted) return;
    const files = Object.values(report?.files ?? {});
    const secrets = files.flatMap(({ secretValues = [] }) => secretValues);
    const results = new Map(
      files.flatMap(({ executedWorkflows }) => executedWorkflows.map((one) => [one.workflowId, one])),
    );
    const underWay = begun.at(-1)?.workflowId;
    const isLast = report !== undefined || underWay === undefined || start >= mostRestarts || presence.isGone;
    const broken = isLast ? left : left.filter(({ workflowId }) => workflowId === underWay);
    for (const workflow of broken) {
      const result = results.get(workflow.workflowId);
      if (result === undefined) {
        const reason = presence.isGone
          ? reasonOfGone(begun.find(({ workflowId }) => workflowId === workflow.workflowId))
          : `redocly respect did not report this workflow: ${end}`;
        add(workflow, { kind: "errored", reason, trace: [] });
      } else {
        const { outcome, isAnswered } = await judgeWorkflow(workflow, result, { ...judgement, secrets });
        presence.note(isAnswered);
        add(workflow, outcome, result.endTime - result.startTime);
      }
    }
    left = left.filter((workflow) => !broken.includes(workflow));
  }
}

/** What became of a workflow whose process was ended because the server was gone. */
function reasonOfGone(begun: BegunWorkflow | undefined): string {
  if (begun === undefined) return serverDownReason;
  if (begun.isUnanswered || !begun.isOver) return "there is no answer";
  return "what came of it is lost, because the server stopped to answer before all was done";
}

/** Most of the contract is examples of responses, and no workflow uses these. */
function withoutResponseExamples(contract: ContractDocument): ContractDocument {
  const copy = structuredClone(contract);
  const responses = [
    ...Object.values(copy.components.responses ?? {}),
    ...listOperations(copy).flatMap(({ operation }) => Object.values(operation.responses)),
  ];
  for (const given of responses) {
    for (const media of Object.values(resolve<ResponseObject>(copy, given).content ?? {})) delete media.examples;
  }
  return copy;
}

function toCheck(workflow: ReadWorkflow, outcome: CheckOutcome, durationMs: number): Check {
  return { ...workflowIdentity(workflow), kind: "workflow", summary: workflow.summary, outcome, durationMs };
}
