import { redirectFault } from "../../redirect-fault.js";
import { compareWithCase } from "../compare-with-case.js";
import { describeCalls } from "../describe-calls.js";
import type { HttpResponse } from "../describe-exchange.js";
import { isLetThrough } from "../is-let-through.js";
import { isOutsider } from "../needs-states.js";
import type { ResponseValidators } from "../response-validators.js";
import type { DreddResult } from "./dredd-result.js";
import type { DreddTransaction } from "./dredd-transaction.js";
import type { ReadyCase } from "./prepare-case.js";

/** How a transaction is judged. */
export interface TransactionJudgement {
  readonly validators: ResponseValidators;
  /** Why there is no response, when there is none. */
  readonly failure: string | undefined;
  /** Why there is none to judge, though one came. */
  readonly refusal?: string;
  /** Why it keeps no expectation, as when it was too large to be read. */
  readonly fault?: string;
}

/** What came of a transaction that was sent. */
export async function judgeTransaction(
  { real, results, test }: DreddTransaction,
  { one, request, setups, mask }: ReadyCase,
  { validators, failure, refusal, fault }: TransactionJudgement,
): Promise<DreddResult> {
  const caller = isOutsider(one.as) ? {} : { caller: one.as };
  const call = { request, setups, mask, ...caller };
  if (real === undefined && fault !== undefined) {
    return { kind: "failed", dredd: [], compared: [fault], trace: await describeCalls(call) };
  }
  if (real === undefined || refusal !== undefined) {
    const reason = refusal ?? `the server gave no answer: ${failure ?? "Dredd does not say why"}`;
    return { kind: "errored", reason, trace: await describeCalls(call), isUnanswered: true };
  }
  const response = responseOf(real);
  const { "content-type": contentType, location } = response.headers;
  const why = fault ?? redirectFault({ status: response.status, location }, request.url);
  const actual = {
    status: response.status,
    contentType,
    text: response.text,
    ...(why === undefined ? {} : { fault: why }),
  };
  const compared = compareWithCase(one, actual, validators, mask);
  const dredd = dreddProblems(results);
  const isRefusedByDredd = test?.valid !== true && dredd.length === 0;
  if (compared.length + dredd.length === 0 && !isRefusedByDredd) return { kind: "passed" };
  return {
    kind: "failed",
    dredd: isRefusedByDredd ? ["Dredd refuses the response and does not say why"] : dredd.map(mask),
    compared: compared.map(mask),
    ...(isLetThrough(actual.status, one.open === undefined ? one.response.status : undefined)
      ? { letThrough: true }
      : {}),
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
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")])),
    text: bodyEncoding === "base64" ? Buffer.from(body, "base64").toString("utf8") : body,
  };
}

function dreddProblems(results: DreddTransaction["results"]): string[] {
  return Object.entries(results?.fields ?? {}).flatMap(([field, { errors = [] }]) =>
    errors.map(({ message }) => `${field}: ${message}`),
  );
}
