import type { ValidationError } from "../../../../../generated/chat/validators.js";
import { describeValidationError, validatorOf } from "../../judge/validators.js";
import type { OperationAtLevel } from "../operations-at-level.js";
import { isSecretName } from "../secrets-of-exchange.js";
import { describeMismatch } from "./describe-mismatch.js";
import { type JudgedRequest, sentFields } from "./judged-request.js";

/** Judges the values of parameters by their types and schemas. */
export function judgeValues(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, contract, find, show, quote } = judged;
  // The last of a repeated name counts.
  const texts = new Map(sentFields(exchange).map(({ field }) => field));
  for (const { name, expected } of exchange.malformed) {
    show("type");
    const text = texts.get(name);
    const given = text === undefined || isSecretName(name) ? "" : `, not ${quote(text)}`;
    find("type", name, `${name} must be ${expected}${given}${describeMismatch(text, expected)}`);
  }
  for (const { name, schema, isFile, place } of operation.parameters) {
    const value = exchange.parameters[name];
    if (value === undefined || isFile || place === "header") continue;
    const kind = operation.wire.parameters[name] ?? "";
    const isText = kind === "string" || kind === "segments";
    show(isText ? "plainText" : "type", "value");
    const validate = validatorOf(contract.contract, schema);
    if (!validate(value)) {
      const [error] = validate.errors ?? [];
      const given = isSecretName(name) ? "" : `: ${quote(value)}`;
      const problem = `${name} ${describeError(error)}${given}${describeMismatch(texts.get(name), kind)}`;
      find(isOfWrongType(error) && !isText ? "type" : "value", name, problem);
    } else if (isText && place !== "path" && isJsonString(value)) {
      const advice = "so its quotation marks become part of the value; send the text as it is";
      find("plainText", name, `${name} is JSON text, ${advice}`);
    }
  }
}

/** Whether the value as a whole has the wrong type. */
function isOfWrongType(error: ValidationError | undefined): boolean {
  return error?.keyword === "type" && error.instancePath === "";
}

function describeError(error: ValidationError | undefined): string {
  if (error === undefined) return "does not fit its schema";
  const allowed = error.params.allowedValues;
  const list = Array.isArray(allowed) ? ` (${allowed.join(", ")})` : "";
  return (
    describeValidationError(error)
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
