import type { ContractDocument } from "../../contract/rest/document.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { resolverOf } from "../../contract/rest/resolver.js";
import { schemasOnly } from "../../contract/rest/schemas-only.js";
import { compileSafely } from "../../schema/compile-safely.js";
import { createDocumentAjv } from "../../schema/create-ajv.js";
import { describeProblem } from "../../schema/describe-error.js";
import type { AbsentKeyword } from "../../schema/direction.js";
import type { ValidationError, Validator } from "../../schema/validator.js";

/** The first problem of a value. Undefined if it is valid, or if its schema cannot be compiled. */
export type SchemaCheck = (pointer: string, value: unknown) => SchemaProblem | undefined;

export interface SchemaProblem {
  /** A JSON pointer into the value. */
  readonly at: string;
  /** Such as `must be integer`. */
  readonly message: string;
  /** The property that is required and missing. */
  readonly missing?: string;
}

const documentId = "contract";

/**
 * Creates the checks of values of requests and responses against schemas of a document, which JSON pointers name. Compiles a schema when it
 * is first needed. A property that only travels in the other direction is not required (OpenAPI 3.1, `readOnly` and `writeOnly`).
 */
export function createSchemaChecks(document: ContractDocument): Readonly<Record<"request" | "response", SchemaCheck>> {
  return { request: createCheck(document, "readOnly"), response: createCheck(document, "writeOnly") };
}

/** Creates the check of values that travel in one direction, in which properties with the keyword `absent` do not. */
function createCheck(document: ContractDocument, absent: AbsentKeyword): SchemaCheck {
  const ajv = createDocumentAjv({ formats: true, absent, resolve: resolverOf(document) });
  ajv.addSchema(schemasOnly(document), documentId);
  const compiled = new Map<string, Validator>();
  return (pointer, value) => {
    const validate = compiled.get(pointer) ?? compile(pointer);
    compiled.set(pointer, validate);
    if (validate(value)) return undefined;
    // Of the alternatives of an `anyOf`, the deepest failure belongs to the closest one.
    const [error] = [...(validate.errors ?? [])].sort((a, b) => depth(b) - depth(a));
    if (error === undefined) return undefined;
    const missing = error.keyword === "required" ? { missing: String(error.params.missingProperty) } : {};
    return { at: error.instancePath, message: describeProblem(error), ...missing };
  };

  function compile(pointer: string): Validator {
    const name = `${documentId}#${pointer.split("/").map(encodeURIComponent).join("/")}`;
    return compileSafely(pointer, () => ajv.getSchema(name) as Validator | undefined);
  }
}

function depth({ instancePath }: ValidationError): number {
  return instancePath.split("/").length;
}

/** A JSON pointer to an operation. */
export function operationPointer({ path, method }: ListedOperation): string {
  return `/paths/${escapeKey(path)}/${method}`;
}

/** Escapes a key for a JSON pointer (RFC 6901, section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
