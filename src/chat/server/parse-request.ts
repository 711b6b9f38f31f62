import type { operations } from "../../../generated/chat/operations.js";
import { requestValidators } from "../../../generated/chat/validators.js";
import { decodeRequest, type RequestTexts } from "../codec/decode-request.js";
import type { Operation } from "../operation.js";
import { isParameterPresent, newestLevel, requiredParameters } from "./request-levels.js";

/** A request whose parameters are decoded and valid, or the first parameter that is not. */
export type ParsedRequest =
  | { readonly kind: "valid"; readonly values: Record<string, unknown>; readonly ignored: readonly string[] }
  | { readonly kind: "invalid"; readonly parameter: string; readonly message: string };

/**
 * Decodes the parameters of a request and checks them against the contract as of a feature level, by default the newest. The
 * message names the parameter. What a server of the level does not know yet is ignored.
 */
export function parseRequest(
  operationId: keyof typeof operations,
  operation: Operation,
  texts: RequestTexts,
  level: number = newestLevel,
): ParsedRequest {
  const decoded = decodeRequest(operation, texts);
  const known = (name: string) => isParameterPresent(operationId, name, level);
  const values = Object.fromEntries(Object.entries(decoded.values).filter(([name]) => known(name)));
  const first = decoded.malformed.find(({ name }) => known(name));
  if (first !== undefined) {
    return { kind: "invalid", parameter: first.name, message: `Argument '${first.name}' must be ${first.expected}` };
  }
  const missing = requiredParameters(operationId, level).find((name) => !(name in values));
  if (missing !== undefined) return { kind: "invalid", parameter: missing, message: `Missing '${missing}' argument` };
  const validate = requestValidators[operationId];
  if (!validate(values)) return describe(validate.errors ?? [], operation);
  const unknown = [...Object.keys(decoded.values), ...decoded.malformed.map(({ name }) => name)].filter(
    (name) => !known(name),
  );
  return { kind: "valid", values, ignored: [...decoded.ignored, ...unknown].sort() };
}

interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

function describe(errors: readonly ValidationError[], operation: Operation): ParsedRequest {
  // Of the alternatives of an `anyOf`, the deepest failure tells most.
  const error = [...errors].sort((a, b) => b.instancePath.split("/").length - a.instancePath.split("/").length)[0];
  const [parameter = Object.keys(operation.parameters)[0] ?? "", ...inside] = (error?.instancePath ?? "")
    .split("/")
    .slice(1);
  const place = inside.length === 0 ? "" : ` at ${inside.join("/")}`;
  const allowed = Array.isArray(error?.params.allowedValues) ? `: ${error.params.allowedValues.join(", ")}` : "";
  return {
    kind: "invalid",
    parameter,
    message: `Argument '${parameter}'${place} ${error?.message ?? "is invalid"}${allowed}`,
  };
}
