import type { operations } from "../../../generated/chat/operations.js";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { requestValidators } from "../../../generated/chat/validators.js";
import { decodeRequest, type RequestTexts } from "../codec/decode-request.js";
import type { Operation } from "../operation.js";
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
  texts: RequestTexts,
  level: number = newestLevel,
): ParsedRequest {
  const decoded = decodeRequest(operation, texts);
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
    const order = Object.keys(operation.parameters);
    failures.sort((a, b) => order.indexOf(a.parameter) - order.indexOf(b.parameter));
  }
  return failures[0] ?? { kind: "valid", values, ignored: [...decoded.ignored, ...unknown].sort() };
}

type Invalid = Extract<ParsedRequest, { kind: "invalid" }>;

function invalid(parameter: string, message: string): Invalid {
  return { kind: "invalid", parameter, message };
}

interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

function describe(errors: readonly ValidationError[], operation: Operation): Invalid {
  // With an `anyOf`, the deepest failure belongs to the closest alternative.
  const error = [...errors].sort((a, b) => b.instancePath.split("/").length - a.instancePath.split("/").length)[0];
  const [parameter = Object.keys(operation.parameters)[0] ?? "", ...inside] = (error?.instancePath ?? "")
    .split("/")
    .slice(1);
  const place = inside.length === 0 ? "" : ` at ${inside.join("/")}`;
  const allowed = Array.isArray(error?.params.allowedValues) ? `: ${error.params.allowedValues.join(", ")}` : "";
  return invalid(parameter, `Argument '${parameter}'${place} ${error?.message ?? "is invalid"}${allowed}`);
}
