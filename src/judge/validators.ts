import type { ContractDocument, Schema } from "../contract/rest/document.js";
import { resolverOf } from "../contract/rest/resolver.js";
import { isJson, listResponseSchemas, sharedSchemasId, withSharedRefs } from "../contract/rest/response-schemas.js";
import { schemasOnly } from "../contract/rest/schemas-only.js";
import type { ResponseValidators } from "../contract/rest/validator.js";
import { compileSafely } from "../schema/compile-safely.js";
import { createDocumentAjv } from "../schema/create-ajv.js";
import type { Validator } from "../schema/validator.js";

/**
 * Compiles the response validators of a contract, such as the view of a feature level; those of the newest level are generated. Compiles
 * each on first use. Throws a `UsageError` if `ajv` and `ajv-formats`, optional dependencies, are not installed.
 */
export function compileValidators(document: ContractDocument): ResponseValidators {
  const ajv = createDocumentAjv({ formats: true, absent: "writeOnly", resolve: resolverOf(document) });
  ajv.addSchema({ ...schemasOnly(document), $id: sharedSchemasId }, sharedSchemasId);
  const validators: Record<string, Record<string, Validator>> = {};
  for (const { operationId, status, mediaType, schema } of listResponseSchemas(document)) {
    const own = validators[operationId] ?? {};
    // A status rarely has several kinds of JSON.
    const key = status in own || !isJson(mediaType) ? `${status} ${mediaType}` : status;
    // Ajv resolves references against the name, so that a slash in it would lead them astray.
    const name = encodeURIComponent(`${operationId}_${key}`);
    const compile = () => {
      ajv.addSchema(schema, name);
      return ajv.getSchema(name) as Validator;
    };
    validators[operationId] = { ...own, [key]: lazily(() => compileSafely(`${operationId} ${key}`, compile)) };
  }
  return validators;
}

/** Compiled schemas by document and schema; probes check thousands of values against a few hundred schemas. */
const compiled = new WeakMap<object, (schema: Schema) => Validator>();

/**
 * Whether a JSON value is valid against a schema, whose references are resolved in `document`. Ignores `format`. Throws a
 * `UsageError` if `ajv`, an optional dependency, is not installed.
 */
export function fitsSchema(document: object, schema: Schema, value: unknown): boolean {
  return validatorOf(document, schema)(value);
}

/** The validator that `fitsSchema` uses, compiled on first use. */
export function validatorOf(document: object, schema: Schema): Validator {
  let compile = compiled.get(document);
  if (compile === undefined) {
    compile = createCompiler(document);
    compiled.set(document, compile);
  }
  return compile(schema);
}

function createCompiler(document: object): (schema: Schema) => Validator {
  const ajv = createDocumentAjv({ formats: false, absent: "readOnly", resolve: resolverOf(document) });
  ajv.addSchema({ ...schemasOnly(document), $id: sharedSchemasId }, sharedSchemasId);
  const validators = new WeakMap<Schema, Validator>();
  // Thousands of parameters may have the same few schemas.
  const byText = new Map<string, Validator>();
  return (schema) => {
    const known = validators.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema);
    const validate =
      byText.get(text) ?? compileSafely("a value", () => ajv.compile(withSharedRefs(schema) as Schema) as Validator);
    validators.set(schema, validate);
    byText.set(text, validate);
    return validate;
  };
}

function lazily(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  const validate: Validator = (value) => {
    compiled ??= compile();
    const isValid = compiled(value);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
}
