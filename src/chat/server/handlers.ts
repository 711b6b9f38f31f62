import type { operations as Operations } from "../../../generated/chat/types.js";
import { type HandlerCall as CallOf, createUnimplemented, type SuccessOf } from "../../runtime/rest/server/handlers.js";
import { type CallerOf, callableOperations, type OperationId } from "../operation-types.js";
import { type RefusalOf, refuseUndocumented } from "./refusal.js";

type Envelope = "result" | "msg" | "ignored_parameters_unsupported";

/** The success result of a handler: the fields of the response without the envelope, or nothing if there are none. */
export type SuccessFields<Id extends OperationId> = SuccessOf<Operations[Id], Envelope>;

/** The argument of a handler. */
export interface HandlerCall<Id extends OperationId, Caller> extends CallOf<Operations[Id], CallerOf<Id, Caller>> {
  /** The feature level of the server. */
  readonly featureLevel: number;
}

/** The implementation of one operation. */
export type Handler<Id extends OperationId, Caller> = (
  call: HandlerCall<Id, Caller>,
) => SuccessFields<Id> | RefusalOf<Id> | Promise<SuccessFields<Id> | RefusalOf<Id>>;

/** The implementation of the chat service, with one function per operation. */
export type ChatHandlers<Caller> = { readonly [Id in OperationId]: Handler<Id, Caller> };

/** Creates handlers that respond to every operation with status 501, like `createUnimplemented`. Replace them one by one. */
export function unimplementedHandlers<Caller extends object>(): ChatHandlers<Caller> {
  const refusal = (id: string) => refuseUndocumented(501, { code: "NOT_IMPLEMENTED", msg: `${id} is not implemented` });
  return createUnimplemented(Object.keys(callableOperations), refusal) as unknown as ChatHandlers<Caller>;
}
