import type { operations } from "../../../generated/chat/operations.js";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { requestValidators } from "../../../generated/chat/validators.js";
import { decode, type RequestMessage } from "../../request/decode.js";
import { inputsOf, type Operation } from "../../request/operation.js";
import type { ValidationError } from "../../schema/validator.js";
import { parametersAt } from "./feature-level.js";

/** The valid, decoded parameters of a request, or its first invalid parameter. */
export type ParsedRequest =
  | { readonly kind: "valid"; readonly values: Record<string, unknown>; readonly ignored: readonly string[] }
  | { readonly kind: "invalid"; readonly parameter: string; readonly message: string };

/**
 * Decodes the parameters of a request and validates them against the contract as of a feature level, by default the newest. Reports
 * the failure of the first invalid parameter. Ignores parameters that the level does not have.
 */
export function parseRequest(
  operationId: keyof typeof operations,
  operation: Operation,
  message: RequestMessage,
  level: number = newestLevel,
): ParsedRequest {
  const decoded = decode(operation, message);
  const { isKnown, required } = parametersAt(operationId, level);
  const unknown: string[] = [];
  const values: Record<string, unknown> = {};
  for (const name in decoded.values) {
    if (isKnown(name)) values[name] = decoded.values[name];
    else unknown.push(name);
  }
  const failures: Invalid[] = [];
  for (const { name, expected } of decoded.malformed) {
    if (isKnown(name)) failures.push(invalid(name, `Argument '${name}' must be ${expected}`));
    else unknown.push(name);
  }
  for (const name of required) {
    if (name in values || failures.some(({ parameter }) => parameter === name)) continue;
    failures.push(invalid(name, `Missing '${name}' argument`));
  }
  const validate = requestValidators[operationId];
  if (!validate(values)) failures.push(describe(validate.errors ?? [], operation));
  if (failures.length > 0) {
    const order = inputsOf(operation).map(({ name }) => name);
    failures.sort((a, b) => order.indexOf(a.parameter) - order.indexOf(b.parameter));
  }
  return failures[0] ?? { kind: "valid", values, ignored: [...decoded.unknown, ...unknown].sort() };
}

type Invalid = Extract<ParsedRequest, { kind: "invalid" }>;

function invalid(parameter: string, message: string): Invalid {
  return { kind: "invalid", parameter, message };
}

function describe(errors: readonly ValidationError[], operation: Operation): Invalid {
  // With an `anyOf`, the deepest failure belongs to the closest alternative.
  const error = [...errors].sort((a, b) => b.instancePath.split("/").length - a.instancePath.split("/").length)[0];
  const [parameter = inputsOf(operation)[0]?.name ?? "", ...inside] = (error?.instancePath ?? "").split("/").slice(1);
  const place = inside.length === 0 ? "" : ` at ${inside.join("/")}`;
  const allowed = Array.isArray(error?.params.allowedValues) ? `: ${error.params.allowedValues.join(", ")}` : "";
  return invalid(parameter, `Argument '${parameter}'${place} ${error?.message ?? "is invalid"}${allowed}`);
}
