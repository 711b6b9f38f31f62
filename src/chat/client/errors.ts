import type { components } from "../../../generated/chat/types.js";
import { retryAfterSeconds } from "../../http/retry-after.js";
import type { CallResult } from "../operation-types.js";

type Schemas = components["schemas"];

/** The documented error codes. Servers may send others. */
export type DocumentedErrorCode = Schemas["DocumentedErrorCode"];

/** The body of an error response with the given code. */
export type ErrorBody<Code extends DocumentedErrorCode = DocumentedErrorCode> = Extract<
  Schemas[keyof Schemas],
  { result: "error"; code: Code }
>;

type AnyErrorBody = ErrorBody | Schemas["OtherError"];

/** An error response, thrown by `unwrap`. */
export class ApiError<Body extends AnyErrorBody = AnyErrorBody> extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The error code, such as `BAD_REQUEST`. */
  readonly code: Body["code"];
  /** The whole response body, with the fields that belong to the code. */
  readonly body: Body;
  /** Whole seconds to wait before a retry, at least one. Undefined if the server gave none. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Body, retryAfter?: number) {
    // Text of anything else could be endless, or too deep to write.
    super(`[${textOf(body.code)}] ${textOf(body.msg)}`);
    this.status = status;
    this.code = body.code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : `(${typeof value})`;
}

/** Whether `error` is an `ApiError`, and has `code` if one is given, which also types its `body`. */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends DocumentedErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError<ErrorBody<Code>>;
export function isApiError(error: unknown, code?: string): boolean {
  // Compare names, so that errors of another copy of this package match too.
  return (
    error instanceof Error && error.name === "ApiError" && (code === undefined || (error as ApiError).code === code)
  );
}

/** Returns the data of a successful result. Throws an `ApiError` for any other result. */
export function unwrap<R extends CallResult>(result: R): Extract<R, { ok: true }>["data"];
export function unwrap(result: CallResult): unknown {
  if (result.ok) return result.data;
  throw new ApiError(result.status, result.error, retryAfterSeconds(result.response.headers));
}

/** The response is not from a chat server: not JSON, JSON without `result`, or a redirect. Usually `baseUrl` is wrong. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  /** The response, with its body already read. */
  readonly response: Response;

  /** `problem` replaces the usual description of what is wrong. */
  constructor(operationId: string, response: Response, problem?: string) {
    const type = response.headers.get("Content-Type") ?? "no content type";
    const usual = `expected the JSON envelope of the chat API, got status ${response.status} with ${type}; check baseUrl`;
    super(`${operationId}: ${problem ?? usual}`);
    this.response = response;
  }
}

/** The response is larger than `maxBytes`, so the client stopped reading it. */
export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes; pass a larger maxBytes to createChatClient if you expect it`);
  }
}

/** The server's feature level does not support the call, so the client did not send it. */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
  /** The feature, such as `messages.edit.prev_content_sha256`. */
  readonly feature: string;

  constructor(feature: string, serverLevel: number) {
    super(`${feature} is not available on a server of feature level ${serverLevel}`);
    this.feature = feature;
  }
}
