import { STATUS_CODES } from "node:http";
import { pointerKeys, valueAt } from "../../contract/json-pointer.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve } from "../../contract/rest/document.js";
import { listOperations } from "../../contract/rest/operations.js";

/** The body of an error that the contract does not document, and its media type. */
export interface ErrorBody {
  readonly mediaType: string;
  readonly body: object;
}

const problemType = "application/problem+json";

/**
 * Creates the function that makes the bodies of the errors of a mock or proxy itself: problem details (RFC 9457) if the contract has any, or if no
 * convention says how the API's errors look, and else only what the convention asks for. Where that is any integer or text, it is the status
 * or the message. The code defaults to the name of the status, such as `BAD_REQUEST`.
 */
export function createErrorBody(
  document: ContractDocument,
): (status: number, message: string, code?: string) => ErrorBody {
  const { body: wanted, code: codeAt } = conventionsOf(document).error ?? {};
  const isProblem = wanted === undefined || documentsProblems(document);
  return (status, message, code) => {
    const title = STATUS_CODES[status] ?? "Error";
    const body = isProblem ? { type: "about:blank", title, status, detail: message } : {};
    for (const [pointer, matcher] of Object.entries(wanted ?? {})) {
      if (typeof matcher !== "object" || matcher === null) put(body, pointer, matcher);
      else if (valueAt(body, pointer) === undefined)
        put(body, pointer, "type" in matcher && matcher.type === "integer" ? status : message);
    }
    if (codeAt !== undefined) put(body, codeAt, code ?? title.toUpperCase().replace(/[^A-Z]+/g, "_"));
    return { mediaType: isProblem ? problemType : "application/json", body };
  };
}

function documentsProblems(document: ContractDocument): boolean {
  return listOperations(document).some(({ operation }) =>
    Object.values(operation.responses).some(
      (response) => problemType in (resolve<Partial<ResponseObject>>(document, response).content ?? {}),
    ),
  );
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
