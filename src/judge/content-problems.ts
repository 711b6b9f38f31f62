import { parseJson } from "../base/parse-json.js";
import { scalarReadings } from "../contract/rest/alternatives.js";
import { conventionsOf } from "../contract/rest/conventions.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../contract/rest/document.js";
import { isJson } from "../contract/rest/response-schemas.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { isInRange, mediaType } from "../http/media-type.js";
import { isSequential, readItem, splitSequence } from "../http/sequential.js";
import { describeError } from "../schema/describe-error.js";
import type { ValidationError, Validator } from "../schema/validator.js";
import type { DocumentedResponse } from "./documented-response.js";
import type { ReceivedResponse } from "./http-message.js";
import { createQuoter, maskSecretFields } from "./quote.js";
import { errorCode, isOwnError } from "./refusal.js";
import { fitsSchema } from "./validators.js";

/** What a contract forbids in a response. */
export interface ContractProblem {
  /** A sentence, such as `/id: must be integer`. */
  readonly text: string;
  /** The JSON pointer to the part of the body that is wrong, missing or too much; empty for the whole body. Undefined for everything else. */
  readonly at?: string;
}

/** The compared parts of a response. */
export type JudgedResponse = Omit<ReceivedResponse, "headers"> & {
  readonly headers: Pick<Headers, "has" | "get">;
  /** Whether the response has no body whatever the contract says, such as that to HEAD. */
  readonly isBodiless?: boolean;
  /** The parsed body; undefined if it is not JSON. If omitted, the body is parsed again, which takes a second if it is large. */
  readonly parsed?: unknown;
};

/** A response with its parsed body, and the context to judge them. */
type ReceivedContent = JudgedResponse & Pick<ReceivedBody, "body" | "validators" | "quote">;

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

/**
 * Whether a refusal has the media type and the form of any response that its operation documents, or of the errors of the API. One without
 * a body has. So has any if the operation documents no refusal, or no body at all.
 */
export function fitsDocumented(
  document: ContractDocument,
  operation: OperationObject,
  actual: JudgedResponse,
  validators: ResponseValidators,
): boolean {
  const documented = Object.entries(operation.responses).map(([key, given]) => ({
    ...{ key, response: resolve<ResponseObject>(document, given) },
  }));
  const described = documented.filter(({ response }) => Object.keys(response.content ?? {}).length > 0);
  if (described.length === 0 || documented.every(({ key }) => /^[123]/.test(key))) return true;
  if (actual.text === "" || actual.isBodiless) return true;
  const body = "parsed" in actual ? actual.parsed : parseJson(actual.text);
  const received = { ...actual, body, validators, quote: createQuoter(maskSecretFields) };
  return (
    isOwnError(document, body) ||
    described.some((one) => contentProblems(document, operation, one, received).length === 0)
  );
}

/** Lists how the media type and the body of a response differ from one that its operation documents. */
export function contentProblems(
  document: ContractDocument,
  operation: OperationObject,
  { key, response }: DocumentedResponse,
  actual: ReceivedContent,
): ContractProblem[] {
  const { status, body, validators, quote } = actual;
  const types = Object.keys(response.content ?? {});
  if (types.length === 0 || actual.isBodiless || status === 204 || status === 304) return [];
  const actualType = mediaType(actual.contentType);
  const type = types.find((one) => isInRange(actualType, one));
  const problems: ContractProblem[] = [];
  if (type === undefined)
    problems.push({ text: `content type: expected ${types.join(" or ")}, got ${quote(actual.contentType)}` });
  const judgedType = type ?? types[0] ?? "";
  if (isSequential(judgedType) && response.content?.[judgedType]?.itemSchema !== undefined) {
    const validate = type === undefined ? undefined : validators[operation.operationId]?.[`${key} ${type}`];
    return [...problems, ...itemProblems(actual, judgedType, validate)];
  }
  if (!isJson(judgedType)) {
    const validate = type === undefined ? undefined : validators[operation.operationId]?.[`${key} ${type}`];
    return [...problems, ...scalarProblems(actual, actualType, validate, quote)];
  }
  if (judgedType.includes("*") && !isJson(actualType)) return problems;
  if (body === undefined) return [...problems, { at: "", text: `body: expected JSON, got ${quote(actual.text)}` }];
  return [
    ...problems,
    ...bodyProblems(document, operation, { status, key, type: judgedType, body, validators, quote }),
  ];
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
