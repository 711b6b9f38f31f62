import { isDeepStrictEqual } from "node:util";
import { responseValidators, type ValidationError, type Validator } from "../../../../generated/chat/validators.js";
import { mediaType } from "../../../chat/codec/media-type.js";
import type { Case } from "../../../contract/chat/cases.js";
import { valueAt } from "../../../contract/json-pointer.js";
import { parseJson } from "../../../parse-json.js";
import type { Mask } from "../../excerpt.js";
import type { ActualResponse } from "../exchange/http-message.js";
import { createQuoter, maskSecretFields } from "../exchange/quote.js";
import { isRefusal } from "./refusal.js";
import { describeValidationError, type ResponseValidators } from "./validators.js";

/**
 * Lists the problems of a response to a case, one sentence each; empty if the response is as the case expects.
 *
 * A case fixes its status, unless that is only recommended (see `statusDeviation`), the content type, the `code` of an error, the values at
 * its `exact` pointers, and the schema of the body for that operation, status and code. It does not fix ids, times, further fields or the
 * text of `msg`. An `open` case fixes only that the response is an error envelope: any status from 400 and any code.
 *
 * `validators` are those of the server's feature level; they default to the newest level. `mask` masks quoted values; by default, those
 * of secret fields. Never throws.
 */
export function compareWithCase(
  testCase: Case,
  actual: ActualResponse,
  validators: ResponseValidators = responseValidators,
  mask: Mask = maskSecretFields,
): string[] {
  const { response: expected } = testCase;
  if (actual.fault !== undefined) return [mask(actual.fault)];
  const quote = createQuoter(mask);
  const problems: string[] = [];
  if (expected.mediaType !== undefined && mediaType(actual.contentType) !== expected.mediaType) {
    problems.push(`content type: expected ${expected.mediaType}, got ${quote(actual.contentType)}`);
  }
  const body = parseJson(actual.text);
  if (actual.status !== expected.status && !(isOpenStatus(testCase) && isRefusal(actual))) {
    const wanted = testCase.open === undefined ? expected.status : "an error in the envelope";
    // The expected body is unknown for any other status.
    return [...problems, `status: expected ${wanted}, got ${actual.status} with ${quote(body ?? actual.text)}`];
  }
  if (expected.body === undefined) return problems;
  if (body === undefined) return [...problems, `body: expected JSON, got ${quote(actual.text)}`];
  if (testCase.open !== undefined) return [...problems, ...envelopeProblems(testCase, body, validators)];
  problems.push(...schemaProblems(testCase, body, validators));
  const pointers = expected.status >= 400 ? ["/code", ...testCase.exact] : testCase.exact;
  for (const pointer of new Set(pointers)) {
    const [wanted, got] = [valueAt(expected.body, pointer), valueAt(body, pointer)];
    if (!isDeepStrictEqual(got, wanted)) problems.push(`${pointer}: expected ${quote(wanted)}, got ${quote(got)}`);
  }
  return problems;
}

/** Describes the status of a refusal that is not the one which the contract recommends. Undefined for any other. */
export function statusDeviation(
  { recommendedBy, response }: Pick<Case, "recommendedBy" | "response">,
  actual: Pick<ActualResponse, "status">,
): string | undefined {
  if (recommendedBy === undefined || actual.status === response.status || actual.status < 400) return undefined;
  return `status: recommended is ${response.status}, got ${actual.status}`;
}

/** Whether the schema of its status forbids a response, whatever the case expects. */
export function isForbidden(
  { operationId, response }: Case,
  actual: ActualResponse,
  validators: ResponseValidators,
): boolean {
  if (actual.fault !== undefined) return true;
  if (response.mediaType === undefined) return false;
  const { [actual.status]: ofStatus, default: ofErrors } = validators[operationId] ?? {};
  const validate = ofStatus ?? (actual.status >= 400 ? ofErrors : undefined);
  return (errorsOf(validate, parseJson(actual.text)) ?? []).length > 0;
}

function isOpenStatus({ open, recommendedBy }: Case): boolean {
  return open !== undefined || recommendedBy !== undefined;
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

/** Checks against the `default` response, which every operation has and which fixes only the error envelope and the fields of a code. */
function envelopeProblems({ operationId, response }: Case, body: unknown, validators: ResponseValidators): string[] {
  const errors = errorsOf(validators[operationId]?.default, body) ?? [];
  const relevant = errors.filter((error) => !isOtherVariant(error, response.body)).map(describeValidationError);
  return errors.length > 0 && relevant.length === 0 ? [fieldsOfCode] : relevant;
}

const fieldsOfCode = "body: must have the fields of its code";

/** Checks against the schema of the expected status, which a refusal with another status should fit as well. */
function schemaProblems({ operationId, response }: Case, body: unknown, validators: ResponseValidators): string[] {
  const { status } = response;
  const errors = errorsOf(validators[operationId]?.[status] ?? validators[operationId]?.default, body);
  if (errors === undefined) return [`body: the contract has no schema for ${operationId} and status ${status}`];
  const relevant = errors.filter((error) => !isOtherVariant(error, response.body));
  if (errors.length > 0 && relevant.length === 0 && status >= 400) {
    return [fieldsOfCode];
  }
  return [...new Set((relevant.length > 0 ? relevant : errors).map(describeValidationError))];
}

/** Lists the errors of a validator. Undefined if there is no validator. */
function errorsOf(validate: Validator | undefined, body: unknown): readonly ValidationError[] | undefined {
  if (validate === undefined) return undefined;
  return validate(body) ? [] : (validate.errors ?? []);
}

/** Whether an error only says that the body is not the variant of some other code. */
function isOtherVariant({ instancePath, keyword, params }: ValidationError, expected: unknown): boolean {
  if (keyword === "anyOf" || keyword === "if") return true;
  if (instancePath === "/code") return keyword === "const";
  return keyword === "required" && instancePath === "" && valueAt(expected, `/${params.missingProperty}`) === undefined;
}
