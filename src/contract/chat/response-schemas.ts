import { type ContractDocument, type ResponseObject, resolve, type Schema } from "./document.js";
import { listOperations } from "./operations.js";

/** The name under which the shared schemas of a contract are given to a validator, for what `listResponseSchemas` refers to. */
export const sharedSchemasId = "contract";

/** What the body of a response has to fit. */
export interface ResponseSchema {
  readonly operationId: string;
  /** Three digits or `default`, which is for every status that is not listed. */
  readonly status: string;
  /** Its references lead into the document `sharedSchemasId`. */
  readonly schema: Schema;
}

/** The shared schemas, as the document that references lead into. */
export function sharedSchemas(document: ContractDocument): object {
  return { $id: sharedSchemasId, components: { schemas: document.components.schemas } };
}

/** The schema of every response body of a contract. */
export function listResponseSchemas(document: ContractDocument): ResponseSchema[] {
  return listOperations(document).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, given]) => {
      const media = resolve<ResponseObject>(document, given).content?.["application/json"];
      return media === undefined ? [] : [{ operationId, status, schema: withSharedRefs(media.schema) as Schema }];
    }),
  );
}

/** Makes local references name the document of the shared schemas. */
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
