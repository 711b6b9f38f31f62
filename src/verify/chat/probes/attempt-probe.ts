import type { Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import type { ReceivedResponse } from "../check-response.js";
import type { ResponseValidators } from "../compare-response.js";
import type { HttpRequest } from "../curl-line.js";
import { describeExchange } from "../describe-exchange.js";
import { judgeProbe } from "./judge-probe.js";
import { type ProbeValues, prepareRequest } from "./prepare-request.js";
import type { Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";
import { NoAnswerError, readyRequest, type SendOptions, sendRequest } from "./send-request.js";
import type { WireRequest } from "./wire-request.js";

/** The server that probes are sent to, and the contract that it is to keep. */
export interface ProbedServer extends SendOptions {
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
}

/** What came of sending a probe once. */
export interface Attempt {
  /** One readable sentence each; empty when the contract is kept. */
  readonly problems: readonly string[];
  /** Whether the status is one of success. */
  readonly succeeded: boolean;
  /** Whether the request may have changed something. */
  readonly mayHaveChanged: boolean;
  /** The request and its response as text without secrets. */
  readonly exchange: () => Promise<Exchange>;
}

/** More of a response is not looked through for secrets, and not shown. */
const mostShown = 10_000;

/** A request that got no answer. */
export class UnansweredProbeError extends Error {
  override readonly name = "UnansweredProbeError";
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange, cause: unknown) {
    super(message, { cause });
    this.exchange = exchange;
  }
}

/**
 * Sends a probe once and judges the response. `vary` changes the request further. Rejects with an `UnansweredProbeError` when there is
 * none, with a `NotApplicableError` when the probe shows nothing on this server, and with the reason of the signal when that is aborted.
 */
export async function attemptProbe(
  probe: Probe,
  server: ProbedServer,
  values: ProbeValues,
  vary: (wire: WireRequest, operation: ProbedOperation) => WireRequest = (wire) => wire,
): Promise<Attempt> {
  const operation = server.operations.get(probe.operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${probe.operationId}`);
  const { wire, secrets, foreignTexts, foreignIds } = prepareRequest(probe, operation, values);
  const request = readyRequest(vary(wire, operation), server.url);
  const mask = createMask(secrets);
  const response = await sendRequest(request, server).catch(async (error: unknown) => {
    if (!(error instanceof NoAnswerError)) throw error;
    throw new UnansweredProbeError(error.message, await describeExchange(request, undefined, mask), error);
  });
  const judgement = { operation, validators: server.validators, foreignTexts, foreignIds };
  return {
    // They may quote the response.
    problems: judgeProbe(probe, response, judgement).map(mask),
    succeeded: response.status >= 200 && response.status < 300,
    mayHaveChanged: request.method !== "GET" && response.status < 400,
    exchange: () => describeResponse(request, response, mask),
  };
}

function describeResponse(
  request: HttpRequest,
  { status, headers, text }: ReceivedResponse,
  mask: (text: string) => string,
): Promise<Exchange> {
  const shown = { status, headers: Object.fromEntries(headers), text: text.slice(0, mostShown) };
  return describeExchange(request, shown, mask);
}
