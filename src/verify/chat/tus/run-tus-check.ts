import type { Check, CheckOutcome, Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import { describeExchange } from "../exchange/describe-exchange.js";
import { NoAnswerError } from "../exchange/send-request.js";
import { stateSecrets } from "../states/callers.js";
import { needsStatesReason } from "../states/case-setup.js";
import { createStatesClient, StateSetupError } from "../states/states-client.js";
import { createTusClient } from "./create-tus-client.js";
import { resumeUpload } from "./resume-upload.js";
import { tusCheck } from "./tus-check.js";

/** Where an upload is made. */
export interface RunTusOptions {
  /** The chat API, without `/api/v1`. */
  readonly url: string;
  /** Where the provider states are. Without it, the check is left out. */
  readonly statesUrl?: string;
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file in parts, cuts the connection in the midst of one, and resumes. Resolves to nothing when the signal is aborted. Never
 * rejects but for a fault of this package.
 */
export async function runTusCheck(options: RunTusOptions): Promise<Check | undefined> {
  const started = performance.now();
  const outcome = await outcomeOf(options);
  if (outcome === undefined) return undefined;
  return {
    ...tusCheck,
    kind: "workflow",
    summary: "An upload is resumed after its connection was cut",
    outcome,
    durationMs: performance.now() - started,
  };
}

async function outcomeOf({ url, statesUrl, timeoutMs, signal }: RunTusOptions): Promise<CheckOutcome | undefined> {
  if (statesUrl === undefined) return { kind: "left-out", reason: needsStatesReason };
  const trace: Exchange[] = [];
  try {
    const outcome = await createStatesClient(statesUrl, { timeoutMs, signal }).setUp([]);
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
    if (result.kind === "left-out") return { kind: "left-out", reason: mask(result.reason) };
    if (result.problems.length === 0) return { kind: "passed" };
    return { kind: "failed", problems: result.problems.map(mask), trace };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof StateSetupError || error instanceof NoAnswerError)) throw error;
    return { kind: "errored", reason: createMask([])(error.message), trace };
  }
}
