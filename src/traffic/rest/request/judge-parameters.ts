import { nearestNames } from "../../../contract/nearest-names.js";
import type { ProbedOperation, ProbedParameter } from "../../../contract/rest/probed-operation.js";
import { typesOf } from "../../../contract/rest/schema-types.js";
import { isSecretName } from "../../../judge/find-secret-fields.js";
import { validatorOf } from "../../../judge/validators.js";
import { mayBe, type Place } from "../../../request/operation.js";
import { isSpread } from "../../../request/style.js";
import { describeError } from "../../../schema/describe-error.js";
import type { ValidationError } from "../../../schema/validator.js";
import { isInHead, isMasked } from "../exchange/decode-exchange.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import { describeOtherLevel, type JudgedRequest } from "./judged-request.js";

/** How many parameters of a request are judged. No operation takes nearly as many. */
export const maxFields = 200;
/** How many characters of a name are shown. */
const maxNameLength = 60;

/** Judges the names of the parameters that a request has, and where they are. */
export function judgeNames(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, find, show } = judged;
  const { method } = operation;
  const seen = new Set<string>();
  const sent = new Set(exchange.fields.map(({ name }) => name));
  const parameters = new Map(operation.parameters.map((one) => [one.name, one]));
  for (const { place, name: given, parameter } of exchange.fields.slice(0, maxFields)) {
    show("name", "unsupported", "place", "repeated");
    const name = parameter?.name ?? given;
    const known = parameters.get(name);
    // A field of one of several alternatives, which only the body as a whole describes.
    if (known === undefined && parameter !== undefined) continue;
    if (known === undefined || isInHead(known)) {
      const isKey = place === "query" && operation.login.some((one) => one.kind === "key" && one.name === name);
      if (isKey) continue;
      judgeUnknownName(judged, operation, { name, place, sent });
      continue;
    }
    judgeDeprecated(judged, known);
    if (known.place === "path") {
      find("place", name, `${name} belongs in the path, and is ignored in the ${placeNames[place]}`);
    } else if (known.place === "query" || known.place === "body") {
      const rest = `it belongs in the ${placeNames[known.place]} of ${method} ${operation.path}`;
      if (place !== known.place) find("place", name, `${name} is in the ${placeNames[place]}; ${rest}`);
    }
    if (parameter?.style !== undefined && isSpread(parameter.style)) continue;
    if (seen.has(name)) find("repeated", name, `${name} is sent more than once`);
    seen.add(name);
  }
  for (const parameter of operation.parameters.filter(isInHead))
    if (exchange.texts.has(parameter.name)) judgeDeprecated(judged, parameter);
}

function judgeDeprecated({ find, show }: JudgedRequest, { name, deprecated }: ProbedParameter): void {
  if (!deprecated) return;
  show("deprecated");
  find("deprecated", name, `${name} is deprecated`);
}

const placeNames = { query: "query string", body: "body" } as const;

function judgeUnknownName(
  { contract, find }: JudgedRequest,
  { operationId, parameters, otherLevels }: OperationAtLevel,
  {
    name,
    place,
    sent,
  }: { readonly name: string; readonly place: "query" | "body"; readonly sent: ReadonlySet<string> },
): void {
  if (otherLevels.includes(name)) {
    const levels = contract.all.levels.get(operationId)?.parameters[name];
    return void find("level", name, describeOtherLevel(name, levels, contract.level));
  }
  const shown = name.slice(0, maxNameLength);
  if (isSecretName(name)) {
    // In the query string, they are reported as credentials in the URL.
    if (place === "body")
      find("credentials", shown, `${shown} is not a parameter; send credentials in the Authorization header`);
    return;
  }
  const candidates = parameters.filter((one) => !isInHead(one));
  const names = candidates.map((one) => one.name);
  const base = /^([^[]*)\[/.exec(name)?.[1];
  const array = candidates.find((one) => one.name === base);
  if (array !== undefined)
    return void find("type", array.name, `${shown} is not supported; send ${array.name} ${howSent(array)}`);

  const [nearest] = nearestNames(
    name,
    names.filter((one) => !sent.has(one)),
  );
  if (nearest !== undefined) return void find("name", shown, `${shown} is not a parameter; did you mean ${nearest}?`);
  find("unsupported", shown, `${shown} is not a parameter of this operation, so the server ignores it`);
}

/** Finds missing parameters. */
export function judgeRequired({ exchange, find, show }: JudgedRequest, operation: OperationAtLevel): void {
  const { body, parameters, malformed, recorded } = exchange;
  const sent = new Set([...Object.keys(parameters), ...malformed.map(({ name }) => name)]);
  const isRead: Readonly<Record<Place, boolean>> = {
    path: false,
    query: true,
    header: !operation.beginsProtocol,
    cookie: !operation.beginsProtocol && recorded.redacted !== true,
    body: body.kind === "read",
  };
  for (const { name, place, required } of operation.parameters) {
    if (!required || !isRead[place]) continue;
    show("required");
    if (!sent.has(name)) find("required", name, `${name} is missing`);
  }
}

/** Judges the values of parameters by their types and schemas. */
export function judgeValues(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, contract, find, show, quote } = judged;
  // If a name is repeated, the last value counts.
  const { texts } = exchange;
  for (const { name, expected } of exchange.malformed) {
    show("type");
    const text = texts.get(name);
    const given = text === undefined || isSecretName(name) ? "" : `, not ${quote(text)}`;
    const parameter = operation.parameters.find((one) => one.name === name);
    const hint = parameter === undefined ? "" : describeMismatch(parameter, text, expected);
    find("type", name, `${name} must be ${expected}${given}${hint}`);
  }
  for (const parameter of operation.parameters) {
    const { name, schema, isFile, place } = parameter;
    const value = exchange.parameters[name];
    if (value === undefined || isFile || isMasked(parameter, value)) continue;
    const isPlain = isText(operation, parameter);
    show(isPlain ? "plainText" : "type", "value");
    const validate = validatorOf(contract.contract, schema);
    if (!validate(value)) {
      const errors = validate.errors ?? [];
      const given = isSecretName(name) ? "" : `: ${quote(value)}`;
      const problem = `${name} ${describeErrors(errors)}${given}${describeMismatch(parameter, texts.get(name), "")}`;
      find(isOfWrongType(errors) && !isPlain ? "type" : "value", name, problem);
    } else if (isPlain && (place === "query" || place === "body") && isJsonString(value)) {
      const advice = "so its quotation marks become part of the value; send the text as it is";
      find("plainText", name, `${name} is JSON text, ${advice}`);
    } else if (isPlain && value === "[object Object]") {
      find("plainText", name, `${name} is ${value}, which JavaScript makes of an object; send its text`);
    }
  }
}

/** Judges a body as a whole, by what its members alone do not show, such as alternatives. */
export function judgeBody(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, contract, find, show, quote } = judged;
  const { bodyValue: sent } = exchange;
  const { bodySchema, mediaType, parameters } = operation;
  const whole = parameters.some(({ place, wireName }) => place === "body" && wireName === null);
  if (sent?.value === undefined || bodySchema === undefined || sent.type !== mediaType || whole) return;
  show("value");
  const validate = validatorOf(contract.contract, bodySchema);
  if (!validate(sent.value))
    find("value", "body", `the body ${describeErrors(validate.errors ?? [])}: ${quote(sent.value)}`);
}

/** Whether a parameter is sent as plain text: it is neither JSON nor anything but a string. */
function isText({ document }: ProbedOperation, { json, isFile, schema }: ProbedParameter): boolean {
  const types = [...typesOf(document, schema)];
  return !json && !isFile && types.every((type) => type === "string" || type === "null");
}

/** Whether the value as a whole has the wrong type, and equals none of the allowed words. */
function isOfWrongType(errors: readonly ValidationError[]): boolean {
  const ofWhole = errors.filter(({ instancePath }) => instancePath === "");
  return (
    errors[0]?.instancePath === "" && errors[0].keyword === "type" && ofWhole.every(({ keyword }) => keyword !== "enum")
  );
}

/** Describes why a value does not fit. For alternatives, names the types and words that they allow. */
function describeErrors(errors: readonly ValidationError[]): string {
  const [first] = errors;
  if (first === undefined) return "does not fit its schema";
  const isOfAlternatives = errors.some(({ keyword, instancePath }) => keyword === "anyOf" && instancePath === "");
  const allowed = errors.flatMap(({ keyword, instancePath, params }) => {
    if (instancePath !== "") return [];
    if (keyword === "type") return [`of type ${String(params.type)}`];
    return Array.isArray(params.allowedValues) ? [`one of ${params.allowedValues.join(", ")}`] : [];
  });
  if (isOfAlternatives && allowed.length > 1) return `must be ${allowed.join(" or ")}`;
  return describeError(first)
    .replace(/^body: /, "")
    .replace(/^\/(\S*):/, "at $1");
}

function isJsonString(value: unknown): boolean {
  if (typeof value !== "string" || !/^".*"$/s.test(value)) return false;
  try {
    return typeof JSON.parse(value) === "string";
  } catch {
    return false;
  }
}

/** How an array or object is sent, as the end of a sentence. */
function howSent({ json, style }: ProbedParameter): string {
  if (json || style === undefined) return "once, as JSON text";
  if (style.name === "deepObject") return `with a name in brackets for each member`;
  if (isSpread(style)) return "once for each item";
  const separators: Readonly<Record<string, string>> = { spaceDelimited: "spaces", pipeDelimited: "|" };
  return `once, with ${separators[style.name] ?? "commas"} between items`;
}

/** Describes what a text of a wrong type looks like, as the end of a sentence. Empty if it has no known form. */
function describeMismatch(parameter: ProbedParameter, text: string | undefined, expected: string): string {
  if (text === undefined) return "";
  const trimmed = text.trim();
  if (parameter.inJson) {
    if (trimmed === "null") return ". A parameter without a value must be omitted";
    return /^"(?:true|false|-?\d+)"$/.test(trimmed) ? ". It is a string; send it without quotation marks" : "";
  }
  if (/^(?:True|False|None)$/.test(trimmed))
    return ". It looks like a Python value: write true, false or nothing in its place";
  if (/^(?:null|undefined|NaN|None|nil|\[object Object\])$/.test(trimmed)) {
    return ". A parameter without a value must be omitted";
  }
  if (/^"(?:true|false|-?\d+)"$/.test(trimmed)) return ". It is JSON text of a string; send it without quotation marks";
  if (/^(?:yes|no|on|off|0|1|TRUE|FALSE)$/i.test(trimmed) && expected === "true or false")
    return ". Write true or false";
  if (/^"[\s\S]*"$/.test(trimmed)) return ". It is JSON text of a string, so it may have been encoded twice";
  if (/^[[{][\s\S]*'[\s\S]*[\]}]$/.test(trimmed)) return ". JSON needs double quotation marks";
  const takesCommas = parameter.style !== undefined && !isSpread(parameter.style);
  if (!takesCommas && /^[^[{"]+(?:,[^[{"]+)+$/.test(trimmed) && mayBe(parameter, "array", "object"))
    return `. Send ${parameter.name} ${howSent(parameter)}, not separated by commas`;
  return "";
}
