import { operations } from "../../../generated/chat/operations.js";
import { decodeValue } from "../../../src/chat/codec/decode-request.js";
import { encodeValue } from "../../../src/chat/codec/encode-request.js";
import { type Operation, type ParameterKind, parameterLocation } from "../../../src/chat/operation.js";
import { isParameterPresent, parametersAt } from "../../../src/chat/server/feature-level.js";
import type { CaseData, FieldData } from "./console-data.js";

/** A field of the form, which is a parameter as of a level. */
export interface Field {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly location: "path" | "query" | "body" | "header";
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The documented values, encoded; empty if there are none. */
  readonly choices: readonly string[];
}

/** The texts and files of a form by field name. Absent fields are not sent. */
export type Filled = Readonly<Record<string, string | File>>;

const table: Readonly<Record<string, Operation>> = operations;

/** The row of an operation in the operation table. Throws for an unknown operation. */
export function operationOf(operationId: string): Operation {
  const operation = table[operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}`);
  return operation;
}

/** Lists the fields of an operation at a level. */
export function listFields(operationId: string, data: Readonly<Record<string, FieldData>>, level: number): Field[] {
  const operation = operationOf(operationId);
  const required = new Set(parametersAt(operationId, level).required);
  const toField = (name: string, kind: ParameterKind, location: Field["location"]): Field => ({
    name,
    kind,
    location,
    required: required.has(name),
    deprecated: data[name]?.deprecated === true,
    choices: (data[name]?.choices ?? []).map((value) => encodeValue(kind, value)),
  });
  return [
    ...Object.entries(operation.headers ?? {}).map(([name, kind]) => toField(name, kind, "header")),
    ...Object.entries(operation.parameters)
      .filter(([name]) => isParameterPresent(operationId, name, level))
      .map(([name, kind]) => toField(name, kind, parameterLocation(operation, name))),
  ];
}

/** Describes the expected type of a text that does not have it. Undefined if it has. */
export function fieldProblem(kind: ParameterKind, text: string | File | undefined): string | undefined {
  if (kind === "file" || typeof text !== "string") return undefined;
  const decoded = decodeValue(kind, text);
  return decoded.kind === "malformed" ? `is not ${decoded.expected}; it is sent as it stands` : undefined;
}

/** Fills the form with the request of a case, encoded as the contract says. `replaced` holds values of provider states. */
export function fillFromCase(
  { operationId, request }: Pick<CaseData, "operationId" | "request">,
  replaced: Readonly<Record<string, unknown>> = {},
): Record<string, string | File> {
  const { parameters, headers = {} } = operationOf(operationId);
  const values = { ...request.header, ...request.path, ...request.query, ...request.body, ...replaced };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      const kind = parameters[name] ?? headers[name] ?? (typeof value === "object" ? "json" : "string");
      return [[name, kind === "file" ? toFile(value) : encodeValue(kind, value)]];
    }),
  );
}

/** The file that a case describes by name, type and text. */
function toFile(value: unknown): File {
  const { name = "file", type = "", text = "" } = value as { name?: string; type?: string; text?: string };
  return new File([text], name, { type });
}
