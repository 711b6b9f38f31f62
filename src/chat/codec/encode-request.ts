import type { Operation, ParameterKind } from "../operation.js";
import { parameterLocation } from "../operation.js";

/** The parameters of a call by name, as JavaScript values. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** An encoded request, relative to `/api/v1`. */
export interface EncodedRequest {
  readonly method: Operation["method"];
  /** The path with percent-encoded values; starts with `/`. */
  readonly path: string;
  /** The query string without `?`, possibly empty. */
  readonly query: string;
  /** Undefined without body parameters. */
  readonly body?: URLSearchParams | FormData;
}

/**
 * Encodes the parameters of a call into the path, the query, and a form or multipart body.
 *
 * Omits values that are `undefined` or `null`. Sends unknown parameters in the query or body as text (arrays and objects as JSON),
 * because servers ignore them. Throws a `TypeError` if a path value is missing, empty, `.` or `..`.
 */
export function encodeRequest(operation: Operation, values: RequestValues): EncodedRequest {
  const query = new URLSearchParams();
  const body = operation.body === "multipart" ? new FormData() : new URLSearchParams();
  let path = operation.path;
  let hasBody = false;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const known = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
    const kind = known ?? (typeof value === "object" ? "json" : "string");
    switch (parameterLocation(operation, name)) {
      case "path":
        // Use a function, because `replace` expands `$&` in a string.
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

/** Percent-encodes a path value. Rejects dot segments, which change the endpoint even when encoded (RFC 3986, section 5.2.4). */
function encodeSegment(name: string, text: string): string {
  if (text === "" || text === "." || text === "..") {
    throw new TypeError(`${name} is a path segment and cannot be ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}

/**
 * Encodes a parameter value as text: arrays and objects as JSON, other values as strings. A `bigint` can carry an id or anchor above
 * 2^53 without loss.
 */
export function encodeValue(kind: ParameterKind, value: unknown): string {
  return kind === "json" ? JSON.stringify(value) : String(value);
}
