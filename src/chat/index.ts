export type { components, operations, paths } from "../../generated/chat/types.js";
export {
  type CallOptions,
  type ChatClient,
  type ChatClientOptions,
  createChatClient,
} from "./client/create-chat-client.js";
export {
  ApiError,
  type DocumentedErrorCode,
  type ErrorBody,
  isApiError,
  ResponseTooLargeError,
  UnexpectedResponseError,
  UnsupportedFeatureError,
  unwrap,
} from "./client/errors.js";
export type { RetryOptions } from "./client/retry.js";
export type { UploadProgress } from "./client/upload-progress.js";
export type { CallParameters, CallResult, OperationId, OtherStatus } from "./operation-types.js";
export { type FeatureName, supports } from "./supports.js";
