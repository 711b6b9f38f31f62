import { isNestedDeeply, nestedTooDeeply, parseJson } from "../base/parse-json.js";
import { scalarReadings } from "../contract/rest/alternatives.js";
import { conventionsOf } from "../contract/rest/conventions.js";
import type { ContractDocument, OperationObject, ResponseObject, Schema } from "../contract/rest/document.js";
import { isJson, isScalar } from "../contract/rest/response-schemas.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { mediaType } from "../http/media-type.js";
import { isSequential, readItem, splitSequence } from "../http/sequential.js";
import { describeError } from "../schema/describe-error.js";
import type { ValidationError, Validator } from "../schema/validator.js";
import { type DocumentedResponse, documentedResponse, documentsFailure, operationsOf } from "./documented-response.js";
import type { Mask } from "./excerpt.js";
import type { ReceivedResponse } from "./http-message.js";
import { createQuoter, maskSecretFields } from "./quote.js";
import { errorCode, hasOwnErrors, isOwnError } from "./refusal.js";
import { fitsSchema } from "./validators.js";

/** What a contract forbids in a response. */
export interface ContractProblem {
  /** A sentence, such as `/id: must be integer`. */
  readonly text: string;
  /** The JSON pointer to the part of the body that is wrong, missing or too much; empty for the whole body. Undefined for everything else. */
  readonly at?: string;
}

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
  const operation = operationsOf(document).get(operationId);
  const documented = operation === undefined ? undefined : documentedResponse(document, operation, status);
  if (fault !== undefined && !(isRedirect(status) && documented !== undefined)) return [{ text: mask(fault) }];
  if (isNestedDeeply(actual.text)) return [{ text: nestedTooDeeply }];
  const quote = createQuoter(mask);
  const body = "parsed" in actual ? actual.parsed : parseJson(actual.text);
  const got = () => `${status} with ${quote(body ?? actual.text)}`;
  if (status >= 500 && !mayFail(document, documented) && !isOwnError(document, body))
    return [{ text: `status: the server failed with ${got()}` }];
  if (operation === undefined || documented === undefined) {
    // The protocol of such an operation may have further successes, and the contract only recommends a version of it.
    if (operation?.["x-protocol"] !== undefined && status < 300) return [];
    // Few documents list every refusal, such as of a request that breaks its own schema: a recommendation.
    if (operation !== undefined && status >= 400 && status < 500) return [];
    return [{ text: `status: ${operationId} does not document ${got()}` }];
  }
  const { key, response } = documented;
  const missing = requiredHeaders(response).filter((name) => !actual.headers.has(name));
  const problems = [
    ...missing.map((name) => `headers: ${name} is missing`),
    ...headerProblems(document, response, actual.headers, quote),
  ].map((text): ContractProblem => ({ text }));
  const types = Object.keys(response.content ?? {});
  if (types.length === 0 || actual.isBodiless || status === 204 || status === 304) return problems;
  const actualType = mediaType(actual.contentType);
  const type = types.find((one) => isOfType(actualType, one));
  if (type === undefined)
    problems.push({ text: `content type: expected ${types.join(" or ")}, got ${quote(actual.contentType)}` });
  const judgedType = type ?? types[0] ?? "";
  if (isSequential(judgedType) && documentsItems(response, judgedType)) {
    const validate = type === undefined ? undefined : validators[operationId]?.[`${key} ${type}`];
    return [...problems, ...itemProblems(actual, judgedType, validate)];
  }
  if (!isJson(judgedType)) {
    const validate = type === undefined ? undefined : validators[operationId]?.[`${key} ${type}`];
    return [...problems, ...scalarProblems(actual, actualType, validate, quote)];
  }
  if (judgedType.includes("*") && !isJson(actualType)) return problems;
  if (body === undefined) return [...problems, { at: "", text: `body: expected JSON, got ${quote(actual.text)}` }];
  return [
    ...problems,
    ...bodyProblems(document, operation, { status, key, type: judgedType, body, validators, quote }),
  ];
}

/** Whether a status from 500 is judged by what the operation documents for it. Own errors are known by more than a default response. */
function mayFail(document: ContractDocument, documented: DocumentedResponse | undefined): boolean {
  if (documented === undefined) return false;
  return documented.key !== "default" || (!hasOwnErrors(document) && documentsFailure(documented));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Whether a media type without parameters is of a documented type, which may be a range (RFC 9110, section 12.5.1). */
function isOfType(actual: string, documented: string): boolean {
  const wanted = mediaType(documented);
  if (wanted === "*/*") return true;
  return wanted.endsWith("/*") ? actual.startsWith(wanted.slice(0, -1)) : actual === wanted;
}

/** The compared parts of a response. */
export type JudgedResponse = Omit<ReceivedResponse, "headers"> & {
  readonly headers: Pick<Headers, "has" | "get">;
  /** Whether the response has no body whatever the contract says, such as that to HEAD. */
  readonly isBodiless?: boolean;
  /** The parsed body; undefined if it is not JSON. If omitted, the body is parsed again, which takes a second if it is large. */
  readonly parsed?: unknown;
};

/** A body, with the context to judge it. */
interface ReceivedBody {
  readonly status: number;
  /** The documented status. */
  readonly key: string;
  /** The documented media type. */
  readonly type: string;
  readonly body: unknown;
  readonly validators: ResponseValidators;
  readonly quote: Quoter;
}

type Quoter = ReturnType<typeof createQuoter>;

function bodyProblems(
  document: ContractDocument,
  { operationId }: OperationObject,
  { status, key, type, body, validators, quote }: ReceivedBody,
): ContractProblem[] {
  const own = validators[operationId] ?? {};
  const validate = own[`${key} ${type}`] ?? own[key];
  if (validate === undefined || validate(body)) return [];
  const problems = (validate.errors ?? []).map((error) => ({
    at: placeOf(error),
    text: describeError(error),
  }));
  if (status >= 400 && conventionsOf(document).error?.code !== undefined) return errorProblems(document, body, quote);
  return [...new Map(problems.map((problem) => [problem.text, problem])).values()];
}

/** The part of a body that an error of a validator is about. */
function placeOf({ instancePath, params }: ValidationError): string {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return member === undefined ? instancePath : `${instancePath}${pointerTo(String(member))}`;
}

function pointerTo(member: string): string {
  return `/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * Lists how a body that is not JSON differs from its schema. Of bytes, each counts as one character, as OpenAPI 3.1 has it ("Considerations
 * for Binary Data"). A text may end its only line, as many servers let it.
 */
function scalarProblems(
  { text, bytes }: Pick<JudgedResponse, "text" | "bytes">,
  type: string,
  validate: Validator | undefined,
  quote: Quoter,
): ContractProblem[] {
  const isText = type.startsWith("text/");
  if (validate === undefined || !(isText || bytes !== undefined)) return [];
  const octets = isText ? undefined : bytes?.toString("latin1");
  const readings = octets === undefined ? [...scalarReadings(text.replace(/\r?\n$/, "")), text] : [octets];
  if (readings.some((value) => validate(value))) return [];
  const got = octets === undefined ? quote(text) : `${octets.length} bytes`;
  return (validate.errors ?? []).map((error) => ({ at: "", text: `${describeError(error)}, got ${got}` }));
}

function documentsItems({ content = {} }: Pick<ResponseObject, "content">, type: string): boolean {
  return content[type]?.itemSchema !== undefined;
}

/** Lists what is wrong with the first item of a sequence that does not fit its schema. */
function itemProblems({ text }: JudgedResponse, type: string, validate: Validator | undefined): ContractProblem[] {
  for (const [index, item] of splitSequence(type, text).entries()) {
    const value = readItem(type, item, parseJson);
    if (value === undefined) return [{ at: `/${index}`, text: `item ${index + 1}: expected JSON` }];
    if (validate === undefined || validate(value)) continue;
    return (validate.errors ?? []).map((error) => ({
      at: `/${index}`,
      text: `item ${index + 1}: ${describeError(error)}`,
    }));
  }
  return [];
}

/** Lists how a body differs from the schema of its error code. */
function errorProblems(document: ContractDocument, body: unknown, quote: Quoter): ContractProblem[] {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return [{ at: "", text: "body: must be object" }];
  const { code: pointer = "", other = "" } = conventionsOf(document).error ?? {};
  const code = errorCode(document, body);
  const schemas = Object.values(document.components.schemas);
  const codeOf = ({ properties }: Schema) => properties?.[pointer.slice(1)]?.const;
  const own = schemas.find((schema) => typeof code === "string" && codeOf(schema) === code);
  const { required = [], properties = {} } = own ?? document.components.schemas[other] ?? {};
  const ofCode = typeof code === "string" ? ` in an error with code ${quote(code)}` : "";
  return [...new Set([...required, ...Object.keys(properties)])].flatMap((name) => {
    const schema: Schema = properties[name] ?? {};
    const at = pointerTo(name);
    if (!Object.hasOwn(body, name)) {
      return required.includes(name) ? [{ at, text: `body: must have required property '${name}'${ofCode}` }] : [];
    }
    const value: unknown = Reflect.get(body, name);
    const text = `/${name}: ${quote(value)} does not fit its schema${ofCode}`;
    return fitsSchema(document, schema, value) ? [] : [{ at, text }];
  });
}

/** Lists the headers whose values do not fit their schemas. What is read from several texts, such as an array, is not judged. */
function headerProblems(
  document: ContractDocument,
  { headers = {} }: Pick<ResponseObject, "headers">,
  actual: JudgedResponse["headers"],
  quote: Quoter,
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
export function requiredHeaders({ headers = {} }: Pick<ResponseObject, "headers">): string[] {
  return describedHeaders(headers).flatMap(([name, header]) => (isRequired(header) ? [name] : []));
}

/** The media types say which `Content-Type` there is: a header of this name is ignored (OpenAPI 3.1, "Response Object"). */
function describedHeaders(headers: Readonly<Record<string, unknown>>): [name: string, header: unknown][] {
  return Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
}

function isRequired(header: unknown): boolean {
  return typeof header === "object" && header !== null && "required" in header && header.required === true;
}
