import type { ContractDocument } from "../contract/rest/document.js";
import type { ImpliedRules } from "../contract/rest/implied-rules.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { mediaType } from "../http/media-type.js";
import { fitsDocumented, type JudgedResponse } from "./content-problems.js";
import { documentedOperations, documentedResponse } from "./documented-response.js";

/** How a response that the document allows departs from what it should be. */
export interface Departure {
  /** The implied recommendation. */
  readonly rule: keyof Pick<ImpliedRules, "statuses" | "failures">;
  readonly problem: string;
}

/** Refusals of a login, a right or a method, which a server of any API may give, and a document should list. */
const ofAccess = [401, 403, 405];

/**
 * Refusals that HTTP gives a meaning whatever the operation: of the form of the request, or its rate. Most come from what stands before an
 * API, and documents rarely list them (RFC 9110, section 15.5; RFC 6585).
 */
const ofHttp = [406, 407, 408, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431];

/**
 * The statuses with which frameworks and gateways also refuse a request before any code of an operation sees it, such as one that they
 * cannot read or route. What these look like is not up to the operation, so a document need not describe it.
 */
export const beforeOperations: ReadonlySet<number> = new Set([400, 404, 422, ...ofAccess, ...ofHttp]);

/** What a server says that it does not support; that is no failure (RFC 9110, section 15.6.2). */
const notImplemented = 501;

/** Finds how a response without problems departs from the recommendations about the responses of its operation. */
export function departureOf(
  document: ContractDocument,
  operationId: string,
  response: JudgedResponse,
  validators: ResponseValidators,
): Departure | undefined {
  const { status, contentType } = response;
  const operation = documentedOperations(document).get(operationId);
  if (operation === undefined || status < 400) return undefined;
  if (status >= 500) {
    if (status === notImplemented) return undefined;
    return { rule: "failures", problem: `status: the server failed with ${status}, which is documented` };
  }
  if (documentedResponse(document, operation, status) !== undefined || ofHttp.includes(status)) return undefined;
  const type = contentType === undefined ? "no body" : mediaType(contentType);
  const unfit = fitsDocumented(document, operation, response, validators)
    ? ""
    : ", and its body fits no documented response either";
  const problem = `status: ${operationId} does not document ${status}, which came with ${type}${unfit}`;
  return { rule: "statuses", problem };
}
