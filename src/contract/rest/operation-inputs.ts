import { type ContractDocument, type OperationObject, resolve, type Schema } from "./document.js";
import { listOperations, parametersOf } from "./operations.js";

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
  const [mediaType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  // A media type need not have a schema.
  const fields = resolve<Schema>(document, media?.schema ?? {}).properties ?? {};
  const parameters = parametersOf(document, operation);
  const isJson = (name: string) => media?.encoding?.[name]?.contentType === "application/json";
  return {
    places: new Map([
      ...Object.keys(fields).map((name) => [name, "body"] as const),
      ...parameters.map(({ name, in: place }) => [name, place] as const),
    ]),
    encoded: new Set([
      ...Object.keys(fields).filter(isJson),
      ...parameters.filter(({ content }) => content !== undefined).map(({ name }) => name),
    ]),
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}
