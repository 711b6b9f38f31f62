import { retryAfterSeconds } from "../../../http/retry-after.js";
import type { ErrorForm } from "../api.js";
import type { AnyResult } from "../types.js";

/** An error response, thrown by `unwrap`. */
export class ApiError<Body = unknown, Code = unknown> extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The error code. Undefined if the API has none. */
  readonly code: Code;
  /** The whole response body, with the fields that belong to the code. */
  readonly body: Body;
  /** Whole seconds to wait before a retry, at least one. Undefined if the server gave none. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    { status, code, body, retryAfter }: Pick<ApiError<Body, Code>, "status" | "code" | "body" | "retryAfter">,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** Returns the data of a successful result. Throws an `ApiError` for any other result. */
export type Unwrap = <R extends AnyResult>(result: R) => Extract<R, { ok: true }>["data"];

/** Creates the `unwrap` of an API. Without a convention, errors are problem details (RFC 9457) or anything else. */
export function createUnwrap(
  { code: codeMember, messages }: ErrorForm = { members: {}, messages: ["detail", "title"] },
): Unwrap {
  return (result) => {
    if (result.ok) return result.data as never;
    const { status, error: body, response } = result;
    const member = (name: string | undefined) =>
      name !== undefined && typeof body === "object" && body !== null
        ? (body as Record<string, unknown>)[name]
        : undefined;
    const code = member(codeMember);
    const text = messages.map(member).find((one) => one !== undefined);
    const label = codeMember === undefined ? `[${status}]` : `[${textOf(code)}]`;
    const message = text === undefined ? label : `${label} ${textOf(text)}`;
    throw new ApiError(message, { status, code, body, retryAfter: retryAfterSeconds(response.headers) });
  };
}

/** Text of anything else could be endless, or too deep to write. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : `(${typeof value})`;
}

type CodeOf<Body, Member extends string> = Body extends Readonly<Record<Member, infer Code>> ? Code : never;
type WithCode<Body, Member extends string, Code> =
  Body extends Readonly<Record<Member, infer Own>> ? (Code extends Own ? Body : never) : never;

/** Whether a value is an `ApiError`, and has `code` if one is given, which also types its `body`. */
export interface ApiErrorTest<Body, Member extends string> {
  (error: unknown): error is ApiError<Body, CodeOf<Body, Member>>;
  <Code extends CodeOf<Body, Member>>(
    error: unknown,
    code: Code,
  ): error is ApiError<WithCode<Body, Member, Code>, Code>;
}

/** The `isApiError` of any API; the types are those of one. */
export function isApiError(error: unknown, code?: unknown): boolean {
  // Compare names, so that errors of another copy of this package match too.
  return (
    error instanceof Error && error.name === "ApiError" && (code === undefined || (error as ApiError).code === code)
  );
}
