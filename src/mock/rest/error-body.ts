import { STATUS_CODES } from "node:http";
import { pointerKeys } from "../../contract/json-pointer.js";
import type { ErrorConvention } from "../../contract/rest/conventions.js";

/** The body of an error that the contract does not document, and its media type. */
export interface ErrorBody {
  readonly mediaType: string;
  readonly body: unknown;
}

/**
 * Creates the function that makes the bodies of the mock's own errors: as the convention of the API's errors says, else problem details
 * (RFC 9457). Where the convention asks for any text, that is the message. The code is the name of the status, such as `BAD_REQUEST`.
 */
export function createErrorBody({ body, code }: ErrorConvention = {}): (status: number, message: string) => ErrorBody {
  return (status, message) => {
    const title = STATUS_CODES[status] ?? "Error";
    if (body === undefined)
      return { mediaType: "application/problem+json", body: { type: "about:blank", title, status, detail: message } };
    const made = {};
    for (const [pointer, wanted] of Object.entries(body))
      put(made, pointer, typeof wanted === "object" ? message : wanted);
    if (code !== undefined) put(made, code, title.toUpperCase().replace(/[^A-Z]+/g, "_"));
    return { mediaType: "application/json", body: made };
  };
}

/** Puts a value at a JSON pointer, in objects that are made as needed. */
function put(target: object, pointer: string, value: unknown): void {
  const [key = "", ...rest] = pointerKeys(pointer);
  if (rest.length === 0) return void Reflect.set(target, key, value);
  const found: unknown = Reflect.get(target, key);
  const inner = typeof found === "object" && found !== null ? found : {};
  Reflect.set(target, key, inner);
  put(inner, `/${rest.map((one) => one.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`, value);
}
