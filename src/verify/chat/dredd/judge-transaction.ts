import { redirectFault } from "../../../redirect-fault.js";
import { describeCalls } from "../exchange/describe-exchange.js";
import type { HttpResponse } from "../exchange/http-message.js";
import { compareWithCase, isForbidden, isWronglyAccepted, statusDeviation } from "../judge/compare-with-case.js";
import type { ResponseValidators } from "../judge/validators.js";
import { isOutsider } from "../states/callers.js";
import { joinValues } from "./adapt-transaction.js";
import type { DreddTransaction } from "./dredd-api.js";
import type { DreddResult } from "./hooks-protocol.js";
import type { ReadyCase } from "./prepare-case.js";

/** The facts about a transaction besides its response. */
export interface TransactionContext {
  readonly validators: ResponseValidators;
  /** Why there is no response; undefined if there is one. */
  readonly failure: string | undefined;
  /** Why the response cannot be judged. */
  readonly refusal?: string;
  /** Why the response is wrong regardless of the expectation, such as its size. */
  readonly fault?: string;
}

/** Judges a transaction that was sent. */
export async function judgeTransaction(
  { real, results, test }: DreddTransaction,
  { testCase, request, setups, mask }: ReadyCase,
  { validators, failure, refusal, fault }: TransactionContext,
): Promise<DreddResult> {
  const caller = isOutsider(testCase.as) ? {} : { caller: testCase.as };
  const call = { request, setups, mask, ...caller };
  if (real === undefined && fault !== undefined) {
    return { kind: "failed", dredd: [], compared: [fault], forbidden: true, trace: await describeCalls(call) };
  }
  if (real === undefined || refusal !== undefined) {
    const reason = refusal ?? `the server did not answer: ${failure ?? "Dredd does not say why"}`;
    return { kind: "errored", reason, trace: await describeCalls(call), isUnanswered: true };
  }
  const response = responseOf(real);
  const { "content-type": contentType, location } = response.headers;
  const problem = fault ?? redirectFault({ status: response.status, location }, request.url);
  const actual = {
    status: response.status,
    contentType,
    text: response.text,
    ...(problem === undefined ? {} : { fault: problem }),
  };
  const compared = compareWithCase(testCase, actual, validators, mask);
  const dredd = dreddProblems(results);
  const isRejectedByDredd = test?.valid !== true && dredd.length === 0;
  if (compared.length + dredd.length === 0 && !isRejectedByDredd) {
    const deviation = statusDeviation(testCase, actual);
    if (deviation === undefined) return { kind: "passed" };
    return { kind: "deviated", deviation, trace: await describeCalls({ ...call, response }) };
  }
  return {
    kind: "failed",
    dredd: isRejectedByDredd ? ["Dredd rejects the response and does not say why"] : dredd.map(mask),
    compared: compared.map(mask),
    ...(isWronglyAccepted(actual.status, testCase.open === undefined ? testCase.response.status : undefined)
      ? { letThrough: true }
      : {}),
    ...(isForbidden(testCase, actual, validators) ? { forbidden: true } : {}),
    trace: await describeCalls({ ...call, response }),
  };
}

function responseOf({
  statusCode,
  headers,
  body = "",
  bodyEncoding,
}: NonNullable<DreddTransaction["real"]>): HttpResponse {
  return {
    status: statusCode,
    headers: Object.fromEntries(joinValues(headers)),
    text: bodyEncoding === "base64" ? Buffer.from(body, "base64").toString("utf8") : body,
  };
}

function dreddProblems(results: DreddTransaction["results"]): string[] {
  return Object.entries(results?.fields ?? {}).flatMap(([field, { errors = [] }]) =>
    errors.map(({ message }) => `${field}: ${message}`),
  );
}
