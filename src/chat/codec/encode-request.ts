import type { Operation, ParameterKind } from "../operation.js";
import { parameterLocation } from "../operation.js";

/** The parameters of a call by name, decoded: numbers, booleans, arrays and objects as such. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** A request as it goes onto the wire, below `/api/v1`. */
export interface EncodedRequest {
  readonly method: Operation["method"];
  /** The path with its values filled in and percent-encoded; starts with `/`. */
  readonly path: string;
  /** The query string without `?`; empty when there is none. */
  readonly query: string;
  /** Left out when no body parameter was given. */
  readonly body?: URLSearchParams | FormData;
}

/**
 * Puts the values of a call where the operation wants them: path, query, or a form or multipart body.
 *
 * A value that is `undefined` or `null` is not sent. A value that the operation does not know goes with the query or body as text
 * (JSON text when it is an array or object), since unknown parameters never fail a request.
 * Throws a `TypeError` when a path value is missing, empty, `.` or `..`.
 */
export function encodeRequest(operation: Operation, values: RequestValues): EncodedRequest {
  const query = new URLSearchParams();
  const body = operation.body === "multipart" ? new FormData() : new URLSearchParams();
  let path = operation.path;
  let hasBody = false;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const kind = operation.parameters[name] ?? (typeof value === "object" ? "json" : "string");
    switch (parameterLocation(operation, name)) {
      case "path":
        // A function as replacement, because `$&` in a string would be expanded.
        path = path.replace(`{${name}}`, () => encodeSegment(name, encodeValue(kind, value)));
        break;
      case "query":
        query.append(name, encodeValue(kind, value));
        break;
      case "body":
        hasBody = true;
        if (body instanceof FormData && value instanceof Blob) body.append(name, value);
        else body.append(name, encodeValue(kind, value));
    }
  }
  const missing = /\{(\w+)\}/.exec(path)?.[1];
  if (missing !== undefined) throw new TypeError(`${operation.method} ${operation.path} needs a value for ${missing}`);
  return { method: operation.method, path, query: query.toString(), ...(hasBody ? { body } : {}) };
}

/** Dots alone would be taken for steps between folders, percent-encoded or not, and lead to another endpoint (RFC 3986, section 5.2.4). */
function encodeSegment(name: string, text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`${name} cannot be ${JSON.stringify(text)}: it is a part of the path`);
  }
  return encodeURIComponent(text);
}

/**
 * The text form of a parameter value: JSON text for arrays and objects, the value itself for strings, digits for integers.
 *
 * A `bigint` is written in full, so an id or anchor above 2^53 can be sent without loss.
 */
export function encodeValue(kind: ParameterKind, value: unknown): string {
  return kind === "json" ? JSON.stringify(value) : String(value);
}
