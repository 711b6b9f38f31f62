import { statusRecommendation } from "../../../contract/chat/rules.js";
import type { CheckOutcome, Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import { describeCalls } from "../exchange/describe-exchange.js";
import { NoAnswerError, type SendLimits, sendRequest } from "../exchange/send-request.js";
import { isWronglyAccepted, statusDeviation } from "../judge/compare-with-case.js";
import type { ResponseValidators } from "../judge/validators.js";
import { requireValues } from "../states/case-setup.js";
import { isForbidden, judgeProbe } from "./judge-probe.js";
import { type ProbeValues, prepareRequest, senderOf } from "./prepare-request.js";
import type { Probe } from "./probe.js";
import type { ProbeOrganizations } from "./probe-organizations.js";
import type { ProbedOperation } from "./probed-operation.js";
import { serializeRequest, type WireRequest } from "./wire-request.js";

/** The server to probe, and the contract that it should keep. */
export interface ProbedServer extends SendLimits {
  /** The URL of the chat API, without `/api/v1`. */
  readonly url: string;
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
}

/** The result of sending a probe once. */
export interface Attempt {
  /** One sentence for each difference from the contract. */
  readonly problems: readonly string[];
  /** A status that differs from the one that the contract recommends, with the rule that recommends it. */
  readonly deviation?: { readonly rule: string; readonly problem: string };
  /** Whether the contract forbids the response in every state of the server. */
  readonly isForbidden: boolean;
  /** Whether the status is from 200 to 299. */
  readonly succeeded: boolean;
  /** Whether the server accepted a request that it must refuse. */
  readonly letThrough: boolean;
  /** Whether the request may have changed something. */
  readonly mayHaveChanged: boolean;
  /** Formats the setups, the request and its response, without secrets. */
  readonly trace: () => Promise<Exchange[]>;
}

/** Thrown if a request got no response. */
export class UnansweredProbeError extends Error {
  override readonly name = "UnansweredProbeError";
  readonly trace: readonly Exchange[];

  constructor(message: string, trace: readonly Exchange[], cause: unknown) {
    super(message, { cause });
    this.trace = trace;
  }
}

/**
 * Sends a probe once and judges the response. `vary` changes the request further. Rejects with an `UnansweredProbeError` if there is no
 * response, with a `StateSetupError` if the states lack a value that the probe needs, with a `NotApplicableError` if the probe shows
 * nothing on this server, and with the reason of the signal if that is aborted.
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
  const request = serializeRequest(vary(wire, operation), server.url);
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
    // Problems may quote the response.
    problems: problems.map(mask),
    ...deviationOf(probe, operation, response),
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

function deviationOf(
  { expectation, rules }: Probe,
  operation: ProbedOperation,
  { status }: { readonly status: number },
): Pick<Attempt, "deviation"> {
  if (expectation.kind !== "refused") {
    // Such a refusal may hide a failure of the server, whatever the probe expects.
    const rule =
      status < 500 || expectation.kind === "unlisted" ? undefined : statusRecommendation(operation.rules, rules);
    return rule === undefined
      ? {}
      : { deviation: { rule, problem: `status: recommended is below 500, got ${status}` } };
  }
  const { recommendedBy } = expectation;
  if (recommendedBy === undefined) return {};
  const problem = statusDeviation({ recommendedBy, response: expectation }, { status });
  return problem === undefined ? {} : { deviation: { rule: recommendedBy, problem } };
}

/** The status that a probe expects. Undefined if the contract leaves it open. */
function statusOf({ expectation }: Probe): number | undefined {
  return expectation.kind === "refused" ? expectation.status : undefined;
}

/**
 * Sends a probe. If it fails, sends it again to a fresh organization and counts only a second failure, because another probe may have
 * changed the first one; a response that the contract forbids in every state counts at once. Where success is expected, the unchanged
 * request must succeed too, or the probe is skipped. `organizations` may be undefined only if the probe needs none. Rejects as
 * `attemptProbe` does, and with a `StateSetupError`.
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
  if (first.problems.length === 0) return success(probe, first);
  if (first.isForbidden) return failure(probe, first);
  const again = await attempt(false);
  if (again.problems.length === 0) return success(probe, again);
  if (probe.expectation.kind === "succeeds" || probe.expectation.kind === "ignored") {
    const unchanged = await attempt(false, { ...probe, change: { kind: "none" }, expectation: { kind: "succeeds" } });
    if (!unchanged.succeeded) {
      const reason = `the request of the case ${probe.operationId}/${probe.base.name}, on which the probe is based, does not succeed`;
      return { kind: "skipped", reason };
    }
  }
  return failure(probe, again);
}

async function success({ rules }: Probe, { deviation, trace }: Attempt): Promise<CheckOutcome> {
  if (deviation === undefined) return { kind: "passed" };
  const { rule, problem } = deviation;
  return { kind: "failed", problems: [problem], broken: [rule], shown: rules, trace: await trace() };
}

async function failure(
  probe: Probe,
  { problems, isForbidden: forbidden, succeeded, letThrough, trace }: Attempt,
): Promise<CheckOutcome> {
  const broken = brokenRules(probe, succeeded);
  return {
    kind: "failed",
    problems,
    ...(broken === undefined ? {} : { broken }),
    ...(letThrough ? { letThrough } : {}),
    ...(forbidden ? { forbidden } : {}),
    trace: await trace(),
  };
}

/** The rules that a failed probe breaks. Undefined for all its rules. */
function brokenRules({ rules, expectation }: Probe, succeeded: boolean): readonly string[] | undefined {
  if (expectation.kind !== "ignored") return undefined;
  return rules.filter((rule) => expectation.listing.includes(rule) === succeeded);
}
