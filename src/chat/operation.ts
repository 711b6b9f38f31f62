/**
 * How the value of a parameter is written on the wire. `json` is JSON text; `anchor` is an integer or a word; `segments` is a
 * string in the path that may hold slashes.
 */
export type ParameterKind = "string" | "integer" | "boolean" | "json" | "file" | "anchor" | "segments";

/**
 * One row of the generated operation table: what client, server and mock need to know to encode and decode a request.
 *
 * A parameter is in the path when the path template names it, otherwise in the query of a GET, otherwise in the body.
 */
export interface Operation {
  /** The short name, such as `messages.edit`; begins rule ids and feature names. */
  readonly feature: string;
  readonly method: "DELETE" | "GET" | "PATCH" | "POST";
  /** The path template below `/api/v1`, such as `/messages/{message_id}`. */
  readonly path: string;
  /** The media type of the body. Left out when the operation has none. */
  readonly body?: "form" | "multipart";
  /** False when the operation needs no login. Left out otherwise. */
  readonly auth?: false;
  /** Path, query and body parameters by name, in the order of the requirements. */
  readonly parameters: Readonly<Record<string, ParameterKind>>;
  /** Header parameters by name. Left out when there are none. */
  readonly headers?: Readonly<Record<string, ParameterKind>>;
}

/** Where a parameter of an operation travels. */
export type ParameterLocation = "path" | "query" | "body";

/** Where a parameter of `operation` travels: in the path when the template names it, else in the query of a GET, else in the body. */
export function parameterLocation(operation: Pick<Operation, "method" | "path">, name: string): ParameterLocation {
  if (operation.path.includes(`{${name}}`)) return "path";
  return operation.method === "GET" ? "query" : "body";
}
