import { operations } from "../../../generated/chat/operations.js";
import type { CallParameters, ContentOf, OperationId, ResponsesOf } from "../operation-types.js";
import type { RefusalOf } from "./refusal.js";
import { refuseUndocumented } from "./refusal.js";

type Envelope = "result" | "msg" | "ignored_parameters_unsupported";
type SuccessBody<Id extends OperationId> = {
  [S in keyof ResponsesOf<Id>]: S extends number
    ? `${S}` extends `2${string}`
      ? ContentOf<ResponsesOf<Id>[S]>
      : never
    : never;
}[keyof ResponsesOf<Id>];

/** What a handler answers on success: the fields of the response without the envelope; nothing at all where there are none. */
export type SuccessFields<Id extends OperationId> = keyof Omit<SuccessBody<Id>, Envelope> extends never
  ? undefined | void
  : Omit<SuccessBody<Id>, Envelope>;

/** What a handler is called with. */
export interface HandlerCall<Id extends OperationId, Caller> {
  /** Path, query and body parameters together, decoded and valid. */
  readonly parameters: CallParameters<Id>;
  /** Who calls. Undefined for operations that need no login. */
  readonly caller: Id extends "getServerSettings" ? undefined : Caller;
  /** The feature level that the server behaves as. */
  readonly featureLevel: number;
}

/** The implementation of one operation. Mark a result that never changes with `reusable`: when it is answered again, its text is too. */
export type Handler<Id extends OperationId, Caller> = (
  call: HandlerCall<Id, Caller>,
) => SuccessFields<Id> | RefusalOf<Id> | Promise<SuccessFields<Id> | RefusalOf<Id>>;

/** The implementation of the chat service: one function for each operation. */
export type ChatHandlers<Caller> = { readonly [Id in OperationId]: Handler<Id, Caller> };

/** Handlers that answer every operation with status 501: a beginning to which implemented ones are added one by one. */
export function unimplementedHandlers<Caller extends object>(): ChatHandlers<Caller> {
  const { createResumableUpload: _, ...served } = operations;
  const handlers = Object.keys(served).map((operationId) => [
    operationId,
    () => refuseUndocumented(501, { code: "NOT_IMPLEMENTED", msg: `${operationId} is not implemented` }),
  ]);
  return Object.fromEntries(handlers);
}
