import { type ContractDocument, resolve, type Schema } from "./document.js";

/** The keyword of properties that do not travel in requests, or in responses. Source: OpenAPI 3.1, "Schema Object"; JSON Schema, section 9.4. */
export type AbsentKeyword = "readOnly" | "writeOnly";

/** Creates a predicate of the schemas of properties that do not travel in a direction, so that they are not required there. */
export function absentBy(document: ContractDocument, keyword: AbsentKeyword): (schema: unknown) => boolean {
  return (schema) =>
    typeof schema === "object" && schema !== null && resolve(document, schema as Schema)[keyword] === true;
}
