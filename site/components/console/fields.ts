import { operations } from "../../../generated/chat/operations.js";
import type { ChatOperation } from "../../../src/chat/operation.js";
import { isParameterPresent, parametersAt } from "../../../src/chat/server/feature-level.js";
import { textOfValue } from "../../../src/request/create-encode.js";
import { expectedText } from "../../../src/request/decode.js";
import { inputsOf, type Parameter, type Place } from "../../../src/request/operation.js";
import type { CaseData, FieldData } from "./console-data.js";

/** A field of the form, which is a parameter as of a level. */
export interface Field {
  readonly name: string;
  /** What its text is, such as `integer`, `JSON` or `file`. */
  readonly kind: string;
  readonly location: Place;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The documented values, encoded; empty if there are none. */
  readonly choices: readonly string[];
  /** Undefined for a field that the operation lacks. */
  readonly parameter: Parameter | undefined;
}

/** The texts and files of a form by field name. Absent fields are not sent. */
export type Filled = Readonly<Record<string, string | File>>;

const table: Readonly<Record<string, ChatOperation>> = operations;

/** The row of an operation in the operation table. Throws for an unknown operation. */
export function operationOf(operationId: string): ChatOperation {
  const operation = table[operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}`);
  return operation;
}

/** Lists the fields of an operation at a level. */
export function listFields(operationId: string, data: Readonly<Record<string, FieldData>>, level: number): Field[] {
  const required = new Set(parametersAt(operationId, level).required);
  const inputs = inputsOf(operationOf(operationId));
  const inOrder = [
    ...inputs.filter(({ place }) => place === "header"),
    ...inputs.filter(({ place }) => place !== "header"),
  ];
  return inOrder
    .filter(({ name, place }) => place === "header" || isParameterPresent(operationId, name, level))
    .map((parameter) => ({
      name: parameter.name,
      kind: kindOf(parameter),
      location: parameter.place,
      required: required.has(parameter.name),
      deprecated: data[parameter.name]?.deprecated === true,
      choices: (data[parameter.name]?.choices ?? []).map((value) => textOfValue(value, parameter)),
      parameter,
    }));
}

function kindOf({ isFile, json, type = "any" }: Parameter): string {
  if (isFile) return "file";
  return json ? "JSON" : [type].flat().join(" or ");
}

/** Describes the expected type of a text that does not have it. Undefined if it has. */
export function fieldProblem(
  { parameter }: Pick<Field, "parameter">,
  text: string | File | undefined,
): string | undefined {
  if (typeof text !== "string" || parameter === undefined || parameter.isFile) return undefined;
  const expected = expectedText(parameter, text);
  return expected === undefined ? undefined : `is not ${expected}; it is sent as it stands`;
}

/** Fills the form with the request of a case, encoded as the contract says. `replaced` holds values of provider states. */
export function fillFromCase(
  { operationId, request }: Pick<CaseData, "operationId" | "request">,
  replaced: Readonly<Record<string, unknown>> = {},
): Record<string, string | File> {
  const inputs = new Map(inputsOf(operationOf(operationId)).map((one) => [one.name, one]));
  const values = { ...request.header, ...request.path, ...request.query, ...request.body, ...replaced };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      const parameter = inputs.get(name);
      return [[name, parameter?.isFile ? toFile(value) : textOfValue(value, parameter)]];
    }),
  );
}

/** The file that a case describes by name, type and text. */
function toFile(value: unknown): File {
  const { name = "file", type = "", text = "" } = value as { name?: string; type?: string; text?: string };
  return new File([text], name, { type });
}
