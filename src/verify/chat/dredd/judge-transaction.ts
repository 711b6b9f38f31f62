import { compareResponse, type ResponseValidators } from "../compare-response.js";
import { describeExchange, type HttpResponse } from "../describe-exchange.js";
import type { DreddResult } from "./dredd-result.js";
import type { DreddTransaction } from "./dredd-transaction.js";
import type { ReadyCase } from "./prepare-case.js";

/** What came of a transaction that was sent. `failure` is why there is no response, when there is none. */
export async function judgeTransaction(
  { real, results, test }: DreddTransaction,
  { one, request, mask }: ReadyCase,
  { validators, failure }: { readonly validators: ResponseValidators; readonly failure: string | undefined },
): Promise<DreddResult> {
  if (real === undefined) {
    const reason = `the server gave no answer: ${failure ?? "Dredd does not say why"}`;
    return { kind: "errored", reason, trace: [await describeExchange(request, undefined, mask)], isUnanswered: true };
  }
  const response = responseOf(real);
  const { "content-type": contentType } = response.headers;
  const compared = compareResponse(one, { status: response.status, contentType, text: response.text }, validators);
  const dredd = dreddProblems(results);
  const isRefusedByDredd = test?.valid !== true && dredd.length === 0;
  if (compared.length + dredd.length === 0 && !isRefusedByDredd) return { kind: "passed" };
  return {
    kind: "failed",
    dredd: isRefusedByDredd ? ["Dredd refuses the response and does not say why"] : dredd.map(mask),
    compared: compared.map(mask),
    trace: [await describeExchange(request, response, mask)],
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
