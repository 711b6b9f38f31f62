export type { components, operations, paths } from "../../generated/chat/types.js";
export { ApiError, type DocumentedErrorCode, type ErrorBody, isApiError, unwrap } from "./client/api-error.js";
export type { CallResult, OtherStatus } from "./client/call-result.js";
export {
  type CallOptions,
  type ChatClient,
  type ChatClientOptions,
  createChatClient,
} from "./client/create-chat-client.js";
export type { RetryOptions } from "./client/retrying-fetch.js";
export { UnexpectedResponseError } from "./client/unexpected-response-error.js";
export { UnsupportedFeatureError } from "./client/unsupported-feature-error.js";
export type { UploadProgress } from "./client/upload-progress.js";
export type { CallParameters, OperationId } from "./operation-types.js";
export { type FeatureName, supports } from "./supports.js";
