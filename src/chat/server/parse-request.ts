import type { operations } from "../../../generated/chat/operations.js";
import { requestValidators } from "../../../generated/chat/validators.js";
import { decodeRequest, type RequestTexts } from "../codec/decode-request.js";
import type { Operation } from "../operation.js";

/** A request whose parameters are decoded and valid, or the first parameter that is not. */
export type ParsedRequest =
  | { readonly kind: "valid"; readonly values: Record<string, unknown>; readonly ignored: readonly string[] }
  | { readonly kind: "invalid"; readonly parameter: string; readonly message: string };

/** Decodes the parameters of a request and checks them against the contract. The message names the parameter. */
export function parseRequest(
  operationId: keyof typeof operations,
  operation: Operation,
  texts: RequestTexts,
): ParsedRequest {
  const { values, malformed, ignored } = decodeRequest(operation, texts);
  const [first] = malformed;
  if (first !== undefined) {
    return { kind: "invalid", parameter: first.name, message: `Argument '${first.name}' must be ${first.expected}` };
  }
  const validate = requestValidators[operationId];
  if (validate(values)) return { kind: "valid", values, ignored };
  return describe(validate.errors ?? [], operation);
}

interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}

function describe(errors: readonly ValidationError[], operation: Operation): ParsedRequest {
  const missing = errors.find((error) => error.keyword === "required" && error.instancePath === "");
  if (missing !== undefined) {
    const parameter = String(missing.params.missingProperty);
    return { kind: "invalid", parameter, message: `Missing '${parameter}' argument` };
  }
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
