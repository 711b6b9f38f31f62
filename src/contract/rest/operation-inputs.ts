import type { ContractDocument, OperationObject } from "./document.js";
import { listOperations, parametersOf } from "./operations.js";
import { requestBodyOf } from "./request-body.js";

/** The inputs of an operation. */
export interface OperationInputs {
  /** The HTTP method, in lower case. */
  readonly method: string;
  /** The location of each parameter: `path`, `query`, `header`, `cookie`, or `body` for a form field. */
  readonly places: ReadonlyMap<string, "path" | "query" | "header" | "cookie" | "body">;
  /** The parameters that are sent as JSON text. */
  readonly encoded: ReadonlySet<string>;
  /** The media type of the form; undefined if the operation has no body. */
  readonly mediaType?: string;
}

/** Lists the inputs of each operation, by operationId. */
export function listInputs(document: ContractDocument): ReadonlyMap<string, OperationInputs> {
  return new Map(
    listOperations(document).map(({ method, operation }) => [
      operation.operationId,
      { method, ...inputsOf(document, operation) },
    ]),
  );
}

function inputsOf(document: ContractDocument, operation: OperationObject): Omit<OperationInputs, "method"> {
  const body = requestBodyOf(document, operation);
  const fields = body?.fields ?? [];
  const parameters = parametersOf(document, operation);
  return {
    places: new Map([
      ...fields.map(({ name }) => [name, "body"] as const),
      ...parameters.map(({ name, in: place }) => [name, place] as const),
    ]),
    encoded: new Set([
      ...fields.flatMap(({ name, encoding }) => (encoding.contentType === "application/json" ? name : [])),
      ...parameters.filter(({ content }) => content !== undefined).map(({ name }) => name),
    ]),
    ...(body === undefined ? {} : { mediaType: body.mediaType }),
  };
}
