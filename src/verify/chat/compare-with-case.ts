import { isDeepStrictEqual } from "node:util";
import { responseValidators, type ValidationError, type Validator } from "../../../generated/chat/validators.js";
import { mediaType } from "../../chat/codec/media-type.js";
import type { Case } from "../../contract/chat/cases.js";
import { valueAt } from "../../contract/json-pointer.js";
import { parseJson } from "../../parse-json.js";
import type { Mask } from "../excerpt.js";
import type { ActualResponse } from "./actual-response.js";
import { createShow, maskPlaces } from "./create-show.js";
import type { ResponseValidators } from "./response-validators.js";
import { validationSentence } from "./validation-sentence.js";

/**
 * What is wrong with a response, one readable sentence each; empty when it keeps what the case promises.
 *
 * A case promises its status, the content type, the `code` of an error, the values at its `exact` pointers, and that the body fits
 * the schema of the operation for the status and code. It does not promise ids, times, further fields or the text of `msg`. An
 * `open` case promises an error in the envelope: any status from 400 to 499 and any code. `validators` are those of the contract as of
 * the level of the server, by default the newest. What a sentence quotes is masked by `mask`, by default for what is secret by its
 * place. Never throws.
 */
export function compareWithCase(
  one: Case,
  actual: ActualResponse,
  validators: ResponseValidators = responseValidators,
  mask: Mask = maskPlaces,
): string[] {
  const { response: expected } = one;
  if (actual.fault !== undefined) return [mask(actual.fault)];
  const show = createShow(mask);
  const problems: string[] = [];
  if (expected.mediaType !== undefined && mediaType(actual.contentType) !== expected.mediaType) {
    problems.push(`content type: expected ${expected.mediaType}, got ${show(actual.contentType)}`);
  }
  const body = parseJson(actual.text);
  if (!(one.open === undefined ? actual.status === expected.status : isRefusal(actual.status))) {
    const wanted = one.open === undefined ? expected.status : "an error from 400 to 499";
    // What the body should be is not known for another status.
    return [...problems, `status: expected ${wanted}, got ${actual.status} with ${show(body ?? actual.text)}`];
  }
  if (expected.body === undefined) return problems;
  if (body === undefined) return [...problems, `body: expected JSON, got ${show(actual.text)}`];
  if (one.open !== undefined) return [...problems, ...envelopeProblems(one, body, validators)];
  problems.push(...schemaProblems(one, actual.status, body, validators));
  const pointers = expected.status >= 400 ? ["/code", ...one.exact] : one.exact;
  for (const pointer of new Set(pointers)) {
    const [wanted, got] = [valueAt(expected.body, pointer), valueAt(body, pointer)];
    if (!isDeepStrictEqual(got, wanted)) problems.push(`${pointer}: expected ${show(wanted)}, got ${show(got)}`);
  }
  return problems;
}

/** A status from 500 on says that the server failed, not that it refused (RFC 9110, section 15.6). */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Every operation has a `default` response, which fixes no more of an error than the envelope, and that its code is no listed one. */
function envelopeProblems({ operationId, response }: Case, body: unknown, validators: ResponseValidators): string[] {
  const errors = errorsOf(validators[operationId]?.default, body) ?? [];
  return errors.filter((error) => !isOtherVariant(error, response.body)).map(validationSentence);
}

function schemaProblems(
  { operationId, response }: Case,
  status: number,
  body: unknown,
  validators: ResponseValidators,
): string[] {
  const errors = errorsOf(validators[operationId]?.[status] ?? validators[operationId]?.default, body);
  if (errors === undefined) return [`body: the contract has no schema for ${operationId} and status ${status}`];
  const telling = errors.filter((error) => !isOtherVariant(error, response.body));
  if (errors.length > 0 && telling.length === 0 && status >= 400) {
    return [`/code: not one of those that the contract lists for ${status}`];
  }
  return [...new Set((telling.length > 0 ? telling : errors).map(validationSentence))];
}

/** Undefined when there is nothing to check against. */
function errorsOf(validate: Validator | undefined, body: unknown): readonly ValidationError[] | undefined {
  if (validate === undefined) return undefined;
  return validate(body) ? [] : (validate.errors ?? []);
}

/** Errors that say only that the body is not the variant of another code, whose fields the case does not have. */
function isOtherVariant({ instancePath, keyword, params }: ValidationError, expected: unknown): boolean {
  if (keyword === "anyOf") return true;
  if (instancePath === "/code") return keyword === "const" || keyword === "not";
  return keyword === "required" && instancePath === "" && valueAt(expected, `/${params.missingProperty}`) === undefined;
}
