import type { Case } from "../../../contract/chat/cases.js";
import type { ActualResponse } from "../exchange/http-message.js";

/** Describes the status of a refusal that is not the one which the contract recommends. Undefined for any other. */
export function statusDeviation(
  { recommendedBy, response }: Pick<Case, "recommendedBy" | "response">,
  actual: Pick<ActualResponse, "status">,
): string | undefined {
  if (recommendedBy === undefined || actual.status === response.status || actual.status < 400) return undefined;
  return `status: recommended is ${response.status}, got ${actual.status}`;
}

/**
 * Whether a server accepted a request that it must refuse: with status `expected`, or with any error if that is undefined. A request
 * that must fail the login also counts as accepted if it is refused for another reason, because the server looked past the credentials.
 */
export function isWronglyAccepted(actual: number, expected: number | undefined): boolean {
  if (expected !== undefined && expected < 400) return false;
  if (expected === 401) return actual < 500 && actual !== 401 && actual !== 403;
  return actual < 300;
}
