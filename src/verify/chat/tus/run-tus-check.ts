import type { Rule } from "../../../contract/chat/rule.js";
import type { Check, CheckOutcome, Exchange } from "../../check.js";
import type { CheckToRun } from "../../create-selection.js";
import { createMask } from "../../mask.js";
import { needsStatesReason } from "../../run/run-steps.js";
import { describeExchange } from "../exchange/describe-exchange.js";
import { NoAnswerError } from "../exchange/send-request.js";
import { stateSecrets } from "../states/callers.js";
import { createStatesClient, StateSetupError } from "../states/states-client.js";
import { createTusClient } from "./create-tus-client.js";
import { resumeUpload } from "./resume-upload.js";

/** A workflow that code runs, because Respect cannot cut a connection. */
export interface TusWorkflow {
  readonly workflowId: string;
  readonly rules: readonly string[];
  /** The recommendations that the workflow relies on. Defaults to none. */
  readonly reliesOn?: readonly string[];
}

/** The workflow that resumes an interrupted upload. Undefined if no rule of the contract names it in `shown-by`. */
export function tusWorkflow(rules: readonly Rule[]): TusWorkflow | undefined {
  const shown = rules.filter((rule) => rule["shown-by"]?.kind === "interrupted-upload");
  if (shown.length === 0) return undefined;
  return {
    workflowId: "uploads-tus-resume",
    rules: shown.map(({ id }) => id),
    reliesOn: shown.flatMap((rule) => rule["shown-by"]?.["relies-on"] ?? []),
  };
}

/** The check of a workflow. */
export function tusCheck({ workflowId, rules, reliesOn }: TusWorkflow): CheckToRun {
  return { id: `workflow ${workflowId}`, operation: "uploads", rules, ...(reliesOn === undefined ? {} : { reliesOn }) };
}

/** The server to upload to. */
export interface RunTusOptions {
  /** The URL of the chat API, without `/api/v1`. */
  readonly url: string;
  /** The URL of the provider states. Without it, the check is skipped. */
  readonly statesUrl?: string;
  /** The time limit of one call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file in parts, cuts the connection during one of them, and resumes. Resolves to undefined if the signal is aborted. Rejects
 * only on a fault of this package.
 */
export async function runTusCheck(check: CheckToRun, options: RunTusOptions): Promise<Check | undefined> {
  const started = performance.now();
  const outcome = await outcomeOf(check.id, options);
  if (outcome === undefined) return undefined;
  return {
    ...check,
    kind: "workflow",
    summary: "An upload is resumed after its connection was cut",
    outcome,
    durationMs: performance.now() - started,
  };
}

async function outcomeOf(
  check: string,
  { url, statesUrl, timeoutMs, signal }: RunTusOptions,
): Promise<CheckOutcome | undefined> {
  if (statesUrl === undefined) return { kind: "skipped", reason: needsStatesReason };
  const trace: Exchange[] = [];
  try {
    const outcome = await createStatesClient(statesUrl, { timeoutMs, signal }).setUp([], check);
    const { member } = outcome.credentials;
    if (member === undefined) throw new StateSetupError("organization", "the answer has no credentials of member");
    const mask = createMask(stateSecrets(outcome));
    for (const { request, response } of outcome.calls ?? [])
      trace.push(await describeExchange(request, response, mask));
    const client = createTusClient({
      endpoint: `${url}/api/v1/tus`,
      credentials: member,
      limits: { timeoutMs, signal },
      onExchange: async (request, response) => void trace.push(await describeExchange(request, response, mask)),
    });
    const result = await resumeUpload(client, signal);
    if (result.kind === "skipped") return { kind: "skipped", reason: mask(result.reason) };
    if (result.problems.length === 0) return { kind: "passed" };
    return { kind: "failed", problems: result.problems.map(mask), trace };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof StateSetupError || error instanceof NoAnswerError)) throw error;
    return { kind: "errored", reason: createMask([])(error.message), trace };
  }
}
