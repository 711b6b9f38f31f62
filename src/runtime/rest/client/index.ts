export type { Api } from "../api.js";
export type { AnyResult, ErrorBodyOf, OtherStatus, ParametersOf, ResultOf } from "../types.js";
export { ApiError, type ApiErrorTest, createUnwrap, isApiError, type Unwrap } from "./api-error.js";
export { type CallOptions, type Client, type ClientOptions, createClient } from "./create-client.js";
export { ResponseTooLargeError, UnexpectedResponseError } from "./errors.js";
export type { BasicCredentials, Credentials } from "./login.js";
export type { RetryOptions } from "./retry.js";
export type { UploadProgress } from "./upload-progress.js";
