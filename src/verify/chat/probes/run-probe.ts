import type { CheckOutcome, Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import { describeCalls } from "../exchange/describe-exchange.js";
import { NoAnswerError, type SendLimits, sendRequest } from "../exchange/send-request.js";
import { isWronglyAccepted } from "../judge/compare-with-case.js";
import type { ResponseValidators } from "../judge/validators.js";
import { requireValues } from "../states/case-setup.js";
import { isForbidden, judgeProbe } from "./judge-probe.js";
import { type ProbeValues, prepareRequest, senderOf } from "./prepare-request.js";
import type { Probe } from "./probe.js";
import type { ProbeOrganizations } from "./probe-organizations.js";
import type { ProbedOperation } from "./probed-operation.js";
import { readyRequest, type WireRequest } from "./wire-request.js";

/** The server that probes are sent to, and the contract that it is to keep. */
export interface ProbedServer extends SendLimits {
  /** Where the chat API is, without `/api/v1`. */
  readonly url: string;
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
}

/** What came of sending a probe once. */
export interface Attempt {
  /** One readable sentence each; empty when the contract is kept. */
  readonly problems: readonly string[];
  /** Whether no state of the server could explain the problems. */
  readonly isForbidden: boolean;
  /** Whether the status is one of success. */
  readonly succeeded: boolean;
  /** Whether it was let through although it has to be refused. */
  readonly letThrough: boolean;
  /** Whether the request may have changed something. */
  readonly mayHaveChanged: boolean;
  /** The setups, the request and its response as text without secrets. */
  readonly trace: () => Promise<Exchange[]>;
}

/** A request that got no answer. */
export class UnansweredProbeError extends Error {
  override readonly name = "UnansweredProbeError";
  readonly trace: readonly Exchange[];

  constructor(message: string, trace: readonly Exchange[], cause: unknown) {
    super(message, { cause });
    this.trace = trace;
  }
}

/**
 * Sends a probe once and judges the response. `vary` changes the request further. Rejects with an `UnansweredProbeError` when there is
 * none, with a `StateSetupError` when the states did not return what it needs, with a `NotApplicableError` when the probe shows nothing on
 * this server, and with the reason of the signal when that is aborted.
 */
export async function attemptProbe(
  probe: Probe,
  server: ProbedServer,
  values: ProbeValues,
  vary: (wire: WireRequest, operation: ProbedOperation) => WireRequest = (wire) => wire,
): Promise<Attempt> {
  const operation = server.operations.get(probe.operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${probe.operationId}`);
  const { own, foreign } = values;
  const sender = senderOf(probe);
  if (own !== undefined) await requireValues(probe.base, own, sender === undefined ? [] : [sender]);
  if (foreign !== undefined) await requireValues(probe.base, foreign, []);
  const { wire, secrets, foreignTexts, foreignIds } = prepareRequest(probe, operation, values);
  const request = readyRequest(vary(wire, operation), server.url);
  const mask = createMask(secrets);
  const caller = sender !== undefined && probe.change.kind !== "wrong-key" ? { caller: sender } : {};
  const call = { request, setups: [own, foreign].flatMap((one) => one?.calls ?? []), mask, ...caller };
  const response = await sendRequest(request, server).catch(async (error: unknown) => {
    if (!(error instanceof NoAnswerError)) throw error;
    throw new UnansweredProbeError(error.message, await describeCalls(call), error);
  });
  const judgement = { operation, validators: server.validators, foreignTexts, foreignIds, mask };
  const problems = judgeProbe(probe, response, judgement);
  return {
    // They may quote the response.
    problems: problems.map(mask),
    isForbidden: problems.length > 0 && isForbidden(probe, response, judgement),
    succeeded: response.status >= 200 && response.status < 300,
    letThrough: probe.expectation.kind.startsWith("refused") && isWronglyAccepted(response.status, statusOf(probe)),
    mayHaveChanged: request.method !== "GET" && response.status < 400,
    trace: () => {
      const { status, headers, text } = response;
      return describeCalls({ ...call, response: { status, headers: Object.fromEntries(headers), text } });
    },
  };
}

/** The status that a probe expects; undefined when that is open. */
function statusOf({ expectation }: Probe): number | undefined {
  return expectation.kind === "refused" ? expectation.status : undefined;
}

/**
 * Sends a probe and says what came of it. One that fails is sent again, to an organization of its own, and is a failure only when it
 * fails there too: what another probe did must not count against it. That excuses no response that the contract does not have at all.
 * Where success is expected, the request must succeed without the change. Without `organizations` the probe must need none. Rejects as `attemptProbe` does, and with a `StateSetupError`.
 */
export async function runProbe(
  probe: Probe,
  server: ProbedServer,
  organizations: ProbeOrganizations | undefined,
): Promise<CheckOutcome> {
  const attempt = async (isFirst: boolean, one = probe): Promise<Attempt> => {
    if (organizations === undefined || !one.states) return attemptProbe(one, server, {});
    const own = await (isFirst ? organizations.shared() : organizations.fresh());
    const values = one.change.kind === "foreign" ? { own, foreign: await organizations.foreign() } : { own };
    const result = await attemptProbe(one, server, values);
    if (result.mayHaveChanged) organizations.spoil();
    return result;
  };
  const first = await attempt(true);
  if (first.problems.length === 0) return { kind: "passed" };
  if (first.isForbidden) return failure(first);
  const again = await attempt(false);
  if (again.problems.length === 0) return { kind: "passed" };
  if (probe.expectation.kind === "succeeds" || probe.expectation.kind === "ignored") {
    const unchanged = await attempt(false, { ...probe, change: { kind: "none" }, expectation: { kind: "succeeds" } });
    if (!unchanged.succeeded) {
      const reason = `the request of the case ${probe.operationId}/${probe.base.name}, which it changes, does not succeed itself`;
      return { kind: "skipped", reason };
    }
  }
  return failure(again);
}

async function failure({ problems, letThrough, trace }: Attempt): Promise<CheckOutcome> {
  return { kind: "failed", problems, ...(letThrough ? { letThrough } : {}), trace: await trace() };
}
