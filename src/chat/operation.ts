/**
 * How a parameter is encoded on the wire. `json` is JSON text; `integer-or-text` is either of them; `segments` is a string in the path
 * that may contain slashes.
 */
export type ParameterKind = "string" | "integer" | "boolean" | "json" | "file" | "integer-or-text" | "segments";

/**
 * One row of the generated operation table, from which client, server and mock encode and decode requests.
 */
export interface Operation {
  /** The short name, such as `messages.edit`; the prefix of rule ids and feature names. */
  readonly feature: string;
  readonly method: "DELETE" | "GET" | "PATCH" | "POST";
  /** The path template below `/api/v1`, such as `/messages/{message_id}`. */
  readonly path: string;
  /** The encoding of the body. Undefined without a body. */
  readonly body?: "form" | "multipart";
  /** The protocol that a call of this operation begins. Clients do not call such an operation as a function. */
  readonly protocol?: "tus";
  /** False if the operation needs no login; otherwise undefined. */
  readonly auth?: false;
  /** Path, query and body parameters by name, in the order of the requirements. */
  readonly parameters: Readonly<Record<string, ParameterKind>>;
  /** Header parameters by name. Undefined without header parameters. */
  readonly headers?: Readonly<Record<string, ParameterKind>>;
}

/** The part of a request that holds a parameter. */
export type ParameterLocation = "path" | "query" | "body";

/** The location of a parameter: the path if the template names it, else the query of a GET, else the body. */
export function parameterLocation(operation: Pick<Operation, "method" | "path">, name: string): ParameterLocation {
  if (operation.path.includes(`{${name}}`)) return "path";
  return operation.method === "GET" ? "query" : "body";
}
