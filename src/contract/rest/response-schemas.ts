import { isSequential } from "../../http/sequential.js";
import { leavesOf } from "./alternatives.js";
import { type ContractDocument, type ResponseObject, resolve, type Schema } from "./document.js";
import { listOperations } from "./operations.js";

/** The `$id` of the shared schemas, which the schemas of `listResponseSchemas` reference. */
export const sharedSchemasId = "contract";

/** The schema of a response body. */
export interface ResponseSchema {
  readonly operationId: string;
  /** Three digits, or `default` for all other statuses. */
  readonly status: string;
  /** The media type, in which `*` matches anything. */
  readonly mediaType: string;
  /** Its references point into the document `sharedSchemasId`. */
  readonly schema: Schema;
}

/** The document of shared schemas that references point into. */
export function sharedSchemas(document: ContractDocument): object {
  return { $id: sharedSchemasId, components: { schemas: document.components.schemas } };
}

/** Lists the schemas of all response bodies of a contract that a body can be compared with: of JSON, of a text or bytes, and of the items of a sequence. */
export function listResponseSchemas(document: ContractDocument): ResponseSchema[] {
  return listOperations(document).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, given]) => {
      const content = Object.entries(resolve<ResponseObject>(document, given).content ?? {});
      return content.flatMap(([mediaType, { schema, itemSchema }]) => {
        const judged = isSequential(mediaType) ? (itemSchema ?? schema) : schema;
        const isJudged =
          judged === itemSchema || (judged !== undefined && (isJson(mediaType) || isScalar(document, judged)));
        return judged !== undefined && isJudged
          ? [{ operationId, status, mediaType, schema: withSharedRefs(judged) as Schema }]
          : [];
      });
    }),
  );
}

/** Whether a media type is JSON (RFC 6839, section 3.1), or may be. */
export function isJson(mediaType: string): boolean {
  return /^(?:application\/json|[\w.+-]+\/[\w.*-]+\+json|\*\/\*|application\/\*)\s*(?:;|$)/i.test(mediaType);
}

/** Whether every value of a schema is a text, a number or a boolean, so that a body without JSON can be one. */
export function isScalar(document: ContractDocument, schema: Schema): boolean {
  const scalars = ["string", "integer", "number", "boolean", "null"];
  return leavesOf(document, schema).every(
    ({ type, enum: listed = [] }) =>
      [type ?? listed.map((value) => typeof value)].flat().every((one) => scalars.includes(one)) &&
      (type !== undefined || listed.length > 0),
  );
}

/** Rewrites local references to point into the document of shared schemas. */
export function withSharedRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withSharedRefs);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? `${sharedSchemasId}${value}` : withSharedRefs(value),
    ]),
  );
}
