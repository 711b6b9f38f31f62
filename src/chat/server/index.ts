export { Refusal } from "../../runtime/rest/server/refusal.js";
export type { ServiceRequest, ServiceResponse } from "../../runtime/rest/server/service.js";
export { createSecret, type Secret } from "../../secrets/secret.js";
export type { MemoryLimits } from "../../server/rest/memory-budget.js";
export type { BodyLimits } from "../../server/rest/read-body.js";
export { spooledPath } from "../../server/rest/spool.js";
export type { CallParameters, OperationId } from "../operation-types.js";
export { type ChatServerOptions, createChatService } from "./create-chat-service.js";
export { createFetchHandler } from "./create-fetch-handler.js";
export type { Credentials } from "./credentials.js";
export type { ChatHandlers, Handler, HandlerCall, SuccessFields } from "./handlers.js";
export { unimplementedHandlers } from "./handlers.js";
export {
  type ErrorFields,
  type RefusalOf,
  refuse,
  refuseUndocumented,
  type UndocumentedRefusal,
} from "./refusal.js";
