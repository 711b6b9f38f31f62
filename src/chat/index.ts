export type { components, operations, paths } from "../../generated/chat/types.js";
export { ApiError } from "../runtime/rest/client/api-error.js";
export type { CallOptions } from "../runtime/rest/client/create-client.js";
export { ResponseTooLargeError, UnexpectedResponseError } from "../runtime/rest/client/errors.js";
export type { RetryOptions } from "../runtime/rest/client/retry.js";
export type { UploadProgress } from "../runtime/rest/client/upload-progress.js";
export type { OtherStatus } from "../runtime/rest/types.js";
export { type ChatClient, type ChatClientOptions, createChatClient } from "./client/create-chat-client.js";
export {
  type DocumentedErrorCode,
  type ErrorBody,
  isApiError,
  unwrap,
} from "./client/errors.js";
export { UnsupportedFeatureError } from "./client/unsupported-feature.js";
export type { CallParameters, CallResult, OperationId } from "./operation-types.js";
export { type FeatureName, supports } from "./supports.js";
