import type { components } from "../../../generated/chat/types.js";
import type { CallResult } from "../operation-types.js";
import { retryAfterSeconds } from "./retry.js";

type Schemas = components["schemas"];

/** Every error code that the contract documents. Servers may send others. */
export type DocumentedErrorCode = Schemas["DocumentedErrorCode"];

/** The body of an error response with the given code. */
export type ErrorBody<Code extends DocumentedErrorCode = DocumentedErrorCode> = Extract<
  Schemas[keyof Schemas],
  { result: "error"; code: Code }
>;

type AnyErrorBody = ErrorBody | Schemas["OtherError"];

/** An error response of the server, thrown by `unwrap`. */
export class ApiError<Body extends AnyErrorBody = AnyErrorBody> extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The error code, such as `BAD_REQUEST`. */
  readonly code: Body["code"];
  /** The whole response body, with the fields that belong to the code. */
  readonly body: Body;
  /** Seconds to wait before trying again, when the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Body, retryAfter?: number) {
    super(`[${body.code}] ${body.msg}`);
    this.status = status;
    this.code = body.code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** Whether `error` is an `ApiError`; with a code, whether it carries that code, which also types its `body`. */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends DocumentedErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError<ErrorBody<Code>>;
export function isApiError(error: unknown, code?: string): boolean {
  // By name, so that an error of another copy of this package is known too.
  return (
    error instanceof Error && error.name === "ApiError" && (code === undefined || (error as ApiError).code === code)
  );
}

/** The data of a successful result. Throws an `ApiError` for any other. */
export function unwrap<R extends CallResult>(result: R): Extract<R, { ok: true }>["data"];
export function unwrap(result: CallResult): unknown {
  if (result.ok) return result.data;
  throw new ApiError(result.status, result.error, retryAfterSeconds(result.response.headers));
}

/** The answer is not what a chat server sends: not JSON, or JSON without `result`. Usually `baseUrl` points elsewhere. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  /** The response, with its body already read. */
  readonly response: Response;

  constructor(operationId: string, response: Response) {
    const type = response.headers.get("Content-Type") ?? "no content type";
    super(
      `${operationId}: expected the JSON envelope of the chat API, got status ${response.status} with ${type}; check baseUrl`,
    );
    this.response = response;
  }
}

/** A call was refused because the server's feature level does not have what it needs. */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
  /** The feature, such as `messages.edit.prev_content_sha256`. */
  readonly feature: string;

  constructor(feature: string, serverLevel: number) {
    super(`${feature} is not available on a server of feature level ${serverLevel}`);
    this.feature = feature;
  }
}
