import { isSecretName } from "../../../verify/find-secret-fields.js";
import { describeValidationError, validatorOf } from "../../../verify/judge/validators.js";
import { isText } from "../exchange/decode-parameters.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import { type JudgedRequest, sentFields } from "./judged-request.js";

/** Judges the values of parameters by their types and schemas. */
export function judgeValues(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, contract, find, show, quote } = judged;
  // If a name is repeated, the last value counts.
  const { destination } = exchange;
  const inPath = destination.kind === "operation" ? Object.entries(destination.path) : [];
  const texts = new Map([...sentFields(exchange).map(({ field }) => field), ...inPath]);
  for (const { name, expected } of exchange.malformed) {
    show("type");
    const text = texts.get(name);
    const given = text === undefined || isSecretName(name) ? "" : `, not ${quote(text)}`;
    find("type", name, `${name} must be ${expected}${given}${describeMismatch(text, expected)}`);
  }
  for (const parameter of operation.parameters) {
    const { name, schema, isFile, place } = parameter;
    const value = exchange.parameters[name];
    if (value === undefined || isFile || place === "header") continue;
    const isPlain = isText(operation, parameter);
    show(isPlain ? "plainText" : "type", "value");
    const validate = validatorOf(contract.contract, schema);
    if (!validate(value)) {
      const errors = validate.errors ?? [];
      const given = isSecretName(name) ? "" : `: ${quote(value)}`;
      const problem = `${name} ${describeErrors(errors)}${given}${describeMismatch(texts.get(name), "")}`;
      find(isOfWrongType(errors) && !isPlain ? "type" : "value", name, problem);
    } else if (isPlain && place !== "path" && isJsonString(value)) {
      const advice = "so its quotation marks become part of the value; send the text as it is";
      find("plainText", name, `${name} is JSON text, ${advice}`);
    } else if (isPlain && value === "[object Object]") {
      find("plainText", name, `${name} is ${value}, which JavaScript makes of an object; send its text`);
    }
  }
}

type ValidationError = Parameters<typeof describeValidationError>[0];

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
  const list = Array.isArray(first.params.allowedValues) ? ` (${first.params.allowedValues.join(", ")})` : "";
  return (
    describeValidationError(first)
      .replace(/^body: /, "")
      .replace(/^\/(\S*):/, "at $1") + list
  );
}

function isJsonString(value: unknown): boolean {
  if (typeof value !== "string" || !/^".*"$/s.test(value)) return false;
  try {
    return typeof JSON.parse(value) === "string";
  } catch {
    return false;
  }
}

/** Describes what a text of a wrong type looks like, as the end of a sentence. Empty if it has no known form. */
function describeMismatch(text: string | undefined, expected: string): string {
  if (text === undefined) return "";
  const trimmed = text.trim();
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
  if (/^[^[{"]+(?:,[^[{"]+)+$/.test(trimmed)) return ". Lists are sent as JSON text, not separated by commas";
  return "";
}
