export type { ContractDocument } from "../../../contract/rest/document.js";
export { createSecret, type Secret } from "../../../secrets/secret.js";
export type { MemoryLimits } from "../../../server/rest/memory-budget.js";
export type { BodyLimits } from "../../../server/rest/read-body.js";
export {
  createDocumentService,
  type DocumentServiceOptions,
  type ReceivedCredentials,
  unimplementedOf,
} from "./document-service.js";
export { createFetchHandler } from "./fetch-handler.js";
export type { Handler, HandlerCall, Handlers, HandlerTypes, RefusalOf, SuccessOf } from "./handlers.js";
export { Refusal, Reply, refuse, refuseUndocumented, reply, UndocumentedRefusal } from "./refusal.js";
export type { Service, ServiceOptions, ServiceRequest, ServiceResponse } from "./service.js";
