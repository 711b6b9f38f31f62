import { jsonExcess, parseJson } from "../base/parse-json.js";
import { scalarReadings } from "../contract/rest/alternatives.js";
import type { ContractDocument, ResponseObject, Schema } from "../contract/rest/document.js";
import { isScalar } from "../contract/rest/response-schemas.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { type ContractProblem, contentProblems, fitsDocumented, type JudgedResponse } from "./content-problems.js";
import { beforeOperations } from "./departures.js";
import {
  type DocumentedResponse,
  documentedOperations,
  documentedResponse,
  documentsFailure,
} from "./documented-response.js";
import type { Mask } from "./excerpt.js";
import { createQuoter, maskSecretFields } from "./quote.js";
import { hasOwnErrors, isOwnError } from "./refusal.js";
import { fitsSchema } from "./validators.js";

/**
 * Lists the problems that a response has regardless of the request, one sentence each; empty if the contract allows the
 * response: the status is documented for the operation, the content type and required headers are present, and the body
 * fits the schema. The requirements fix only some pairs of status and error code, so an error may have any status and may be one that
 * the contract lists elsewhere; it must still have the fields of its code. A status from 500 that the operation does not document is wrong
 * without an error of the API.
 *
 * `document` and `validators` are those of the server's feature level. `mask` masks quoted values; by default, those of
 * secret fields.
 */
export function compareWithContract(
  document: ContractDocument,
  operationId: string,
  actual: JudgedResponse,
  validators: ResponseValidators,
  mask: Mask = maskSecretFields,
): ContractProblem[] {
  const { status, fault } = actual;
  const operation = documentedOperations(document).get(operationId);
  const documented = operation === undefined ? undefined : documentedResponse(document, operation, status);
  if (fault !== undefined && !(isRedirect(status) && documented !== undefined)) return [{ text: mask(fault) }];
  const excess = jsonExcess(actual.text);
  if (excess !== undefined) return [{ text: excess }];
  const quote = createQuoter(mask);
  const body = "parsed" in actual ? actual.parsed : parseJson(actual.text);
  const got = () => `${status} with ${quote(body ?? actual.text)}`;
  if (status >= 500 && !mayFail(document, documented) && !isOwnError(document, body))
    return [{ text: `status: the server failed with ${got()}` }];
  if (operation === undefined || documented === undefined) {
    // The protocol of such an operation may have further successes, and the contract only recommends a version of it.
    if (operation?.["x-protocol"] !== undefined && status < 300) return [];
    const undocumented = `status: ${operationId} does not document ${got()}`;
    if (operation === undefined || status < 400 || status >= 500) return [{ text: undocumented }];
    // Few documents list every refusal, hence a recommendation, unless an operation that lists some gave another than any of these.
    if (beforeOperations.has(status) || fitsDocumented(document, operation, { ...actual, parsed: body }, validators))
      return [];
    return [{ text: `${undocumented}, which fits no response that it documents` }];
  }
  const { response } = documented;
  const missing = requiredHeaders(response).filter((name) => !actual.headers.has(name));
  const problems = [
    ...missing.map((name) => `headers: ${name} is missing`),
    ...headerProblems(document, response, actual.headers, quote),
  ].map((text): ContractProblem => ({ text }));
  return [...problems, ...contentProblems(document, operation, documented, { ...actual, body, validators, quote })];
}

/** Whether a status from 500 is judged by what the operation documents for it. Own errors are known by more than a default response. */
function mayFail(document: ContractDocument, documented: DocumentedResponse | undefined): boolean {
  if (documented === undefined) return false;
  return documented.key !== "default" || (!hasOwnErrors(document) && documentsFailure(documented));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Lists the headers whose values do not fit their schemas. What is read from several texts, such as an array, is not judged. */
function headerProblems(
  document: ContractDocument,
  { headers = {} }: Pick<ResponseObject, "headers">,
  actual: JudgedResponse["headers"],
  quote: ReturnType<typeof createQuoter>,
): string[] {
  return describedHeaders(headers).flatMap(([name, header]) => {
    const { schema } = header as { readonly schema?: Schema };
    const value = actual.get(name);
    if (value === null || schema === undefined || !isScalar(document, schema)) return [];
    const fits = scalarReadings(value).some((reading) => fitsSchema(document, schema, reading));
    return fits ? [] : [`header ${name}: ${quote(value)} does not fit its schema`];
  });
}

/** Lists the names of the headers that every such response must have. */
function requiredHeaders({ headers = {} }: Pick<ResponseObject, "headers">): string[] {
  return describedHeaders(headers).flatMap(([name, header]) => (isRequired(header) ? [name] : []));
}

/** The media types say which `Content-Type` there is: a header of this name is ignored (OpenAPI 3.1, "Response Object"). */
function describedHeaders(headers: Readonly<Record<string, unknown>>): [name: string, header: unknown][] {
  return Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
}

function isRequired(header: unknown): boolean {
  return typeof header === "object" && header !== null && "required" in header && header.required === true;
}
