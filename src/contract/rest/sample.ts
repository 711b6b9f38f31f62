import type { Ajv2020 } from "ajv/dist/2020.js";
import { compileSafely } from "../../schema/compile-safely.js";
import { createDocumentAjv } from "../../schema/create-ajv.js";
import type { AbsentKeyword } from "../../schema/direction.js";
import { sampleOf } from "../../schema/sample/sample.js";
import { withoutAbsent } from "../../schema/sample/without-absent.js";
import type { Validator } from "../../schema/validator.js";
import type { ContractDocument, Schema } from "./document.js";
import { resolverOf } from "./resolver.js";
import { sharedSchemasId, withSharedRefs } from "./response-schemas.js";
import { propertiesOf, typesOf } from "./schema-types.js";
import { schemasOnly } from "./schemas-only.js";

/** What a sample is for: a request has only what is required, a response everything. */
export type SampleUse = "request" | "response";

const absentIn: Readonly<Record<SampleUse, AbsentKeyword>> = { request: "readOnly", response: "writeOnly" };

/** Makes a value that fits a schema of a document, the same each time. Undefined if none is found, or it would be too large. */
export function sampleValue(document: ContractDocument, schema: object, use: SampleUse): unknown {
  const fits = checkerOf(document, use);
  return sampleOf(schema, { resolve: resolverOf(document), fits, absent: absentIn[use], isFull: use === "response" });
}

/** Whether a value fits a schema of a document. */
export function fitsSample(document: ContractDocument, schema: object, value: unknown, use: SampleUse): boolean {
  return checkerOf(document, use)(schema, value);
}

/**
 * A schema for a value that is written in a style: no empty list or object, of which a request would show nothing. `names` are the fields of a
 * form to which this applies.
 */
export function styledSchema(document: ContractDocument, schema: Schema, names?: readonly string[]): Schema {
  const bounds = (given: Schema): Schema => {
    const types = typesOf(document, given);
    return { ...(types.has("array") ? { minItems: 1 } : {}), ...(types.has("object") ? { minProperties: 1 } : {}) };
  };
  if (names === undefined) return { allOf: [schema], ...bounds(schema) };
  const properties = propertiesOf(document, schema);
  return {
    allOf: [schema],
    properties: Object.fromEntries(names.map((name) => [name, bounds(properties[name] ?? {})])),
  };
}

/** An example of a response without the members that only requests have. */
export function withoutWriteOnly(document: ContractDocument, schema: object, example: unknown): unknown {
  return withoutAbsent([schema], example, { resolve: resolverOf(document), absent: "writeOnly" });
}

type Checker = (schema: object, value: unknown) => boolean;

const checkers = new WeakMap<object, Partial<Record<SampleUse, Checker>>>();

/** The function that tells whether a value fits a schema of a document. Compiles each schema when it is first needed. */
function checkerOf(document: ContractDocument, use: SampleUse): Checker {
  const known = checkers.get(document) ?? {};
  checkers.set(document, known);
  known[use] ??= createChecker(document, use);
  return known[use];
}

function createChecker(document: ContractDocument, use: SampleUse): Checker {
  let ajv: Ajv2020 | undefined;
  const validators = new WeakMap<object, Validator>();
  return (schema, value) => {
    if (ajv === undefined) {
      ajv = createDocumentAjv({ formats: true, absent: absentIn[use], resolve: resolverOf(document) });
      ajv.addSchema({ ...schemasOnly(document), $id: sharedSchemasId }, sharedSchemasId);
    }
    const own = ajv;
    const validate =
      validators.get(schema) ??
      compileSafely("a sample", () => own.compile(withSharedRefs(withoutData(schema)) as object) as Validator);
    validators.set(schema, validate);
    return validate(value);
  };
}

/** A schema without data that Ajv would take for schemas, such as an example that has an `$id`. */
function withoutData(schema: object): object {
  const { example: _, examples: __, default: ___, ...rest } = schema as Record<string, unknown>;
  return rest;
}
