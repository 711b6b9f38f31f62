import { operations } from "../../../generated/chat/operations.js";
import type { ChatHandlers } from "./handlers.js";
import { refuseUndocumented } from "./refusal.js";

/** Handlers that answer every operation with status 501: a beginning to which implemented ones are added one by one. */
export function unimplementedHandlers<Caller extends object>(): ChatHandlers<Caller> {
  const { createResumableUpload: _, ...served } = operations;
  const handlers = Object.keys(served).map((operationId) => [
    operationId,
    () => refuseUndocumented(501, { code: "NOT_IMPLEMENTED", msg: `${operationId} is not implemented` }),
  ]);
  return Object.fromEntries(handlers);
}
