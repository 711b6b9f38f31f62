import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { valueAt } from "../../contract/json-pointer.js";
import { type ContractDocument, resolve, type Schema } from "../../contract/rest/document.js";
import { lenientRegExp } from "../../contract/rest/lenient-reg-exp.js";
import type { ListedOperation } from "../../contract/rest/operations.js";

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
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    allErrors: true,
    verbose: true,
    logger: false,
    code: { regExp: lenientRegExp },
  });
  addFormats.default(ajv);
  ajv.addSchema(document, documentId);
  return {
    request: (pointer, value) => check(pointer, value, "readOnly"),
    response: (pointer, value) => check(pointer, value, "writeOnly"),
  };

  function check(pointer: string, value: unknown, otherWay: string): ReturnType<SchemaCheck> {
    const validate = compile(pointer);
    if (validate === undefined || validate(value)) return undefined;
    const errors = (validate.errors ?? []).filter((error) => !isOnly(otherWay, error));
    // Of the alternatives of an `anyOf`, the deepest failure belongs to the closest one.
    const [error] = errors.sort((a, b) => depth(b) - depth(a));
    if (error === undefined) return undefined;
    const allowed = Array.isArray(error.params.allowedValues) ? `: ${error.params.allowedValues.join(", ")}` : "";
    const missing = error.keyword === "required" ? { missing: String(error.params.missingProperty) } : {};
    return { at: error.instancePath, message: `${error.message ?? "is invalid"}${allowed}`, ...missing };
  }

  function compile(pointer: string) {
    try {
      return ajv.getSchema(`${documentId}#${pointer.split("/").map(encodeURIComponent).join("/")}`);
    } catch {
      return undefined;
    }
  }

  /** Whether an error is the lack of a property that has this keyword, such as `readOnly`. */
  function isOnly(way: string, { keyword, params, parentSchema }: ErrorObject): boolean {
    if (keyword !== "required") return false;
    const found: unknown = valueAt(parentSchema, `/properties/${params.missingProperty}`);
    return typeof found === "object" && found !== null && resolve(document, found as Schema)[way] === true;
  }
}

function depth({ instancePath }: ErrorObject): number {
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
