import type { components } from "../../../generated/chat/types.js";
import { type ApiError, createUnwrap, isApiError as isError } from "../../runtime/rest/client/api-error.js";
import type { CallResult } from "../operation-types.js";
import { conventions } from "./conventions.js";

type Schemas = components["schemas"];

/** The documented error codes. Servers may send others. */
export type DocumentedErrorCode = Schemas["DocumentedErrorCode"];

/** The body of an error response with the given code. */
export type ErrorBody<Code extends DocumentedErrorCode = DocumentedErrorCode> = Extract<
  Schemas[keyof Schemas],
  { result: "error"; code: Code }
>;

/** The types of `isApiError`: with a code of the contract, the body has the fields that belong to it. */
interface IsApiError {
  (error: unknown): error is ApiError<ErrorBody | Schemas["OtherError"], string>;
  <Code extends DocumentedErrorCode>(error: unknown, code: Code): error is ApiError<ErrorBody<Code>, Code>;
}

/** Whether `error` is an `ApiError`, and has `code` if one is given, which also types its `body`. */
export const isApiError = isError as IsApiError;

/** Returns the data of a successful result. Throws an `ApiError` for any other result. */
export const unwrap: <R extends CallResult>(result: R) => Extract<R, { ok: true }>["data"] =
  /* @__PURE__ */ createUnwrap(conventions.error);
