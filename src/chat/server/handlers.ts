import {
  type CallerOf,
  type CallParameters,
  type ContentOf,
  callableOperations,
  type OperationId,
  type ResponsesOf,
} from "../operation-types.js";
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

/** The success result of a handler: the fields of the response without the envelope, or nothing if there are none. */
export type SuccessFields<Id extends OperationId> = keyof Omit<SuccessBody<Id>, Envelope> extends never
  ? undefined | void
  : Omit<SuccessBody<Id>, Envelope>;

/** The argument of a handler. */
export interface HandlerCall<Id extends OperationId, Caller> {
  /** The decoded and validated path, query and body parameters. */
  readonly parameters: CallParameters<Id>;
  /** The authenticated caller. Undefined for operations that need no login. */
  readonly caller: CallerOf<Id, Caller>;
  /** The feature level of the server. */
  readonly featureLevel: number;
  /** Looks up a header of the request by its lower-case name, such as `user-agent`. */
  readonly header: (name: string) => string | undefined;
}

/** The implementation of one operation. */
export type Handler<Id extends OperationId, Caller> = (
  call: HandlerCall<Id, Caller>,
) => SuccessFields<Id> | RefusalOf<Id> | Promise<SuccessFields<Id> | RefusalOf<Id>>;

/** The implementation of the chat service, with one function per operation. */
export type ChatHandlers<Caller> = { readonly [Id in OperationId]: Handler<Id, Caller> };

/** The handlers of operations that a server does not have. */
const unimplemented = new WeakSet<object>();

/** Whether a handler stands for an operation that a server does not have. */
export function isUnimplemented(handler: object): boolean {
  return unimplemented.has(handler);
}

/**
 * Creates handlers that respond to every operation with status 501. Replace them one by one. Until then, `Allow` does not list an operation,
 * and its parameters are not looked at.
 */
export function unimplementedHandlers<Caller extends object>(): ChatHandlers<Caller> {
  const handlers = Object.keys(callableOperations).map((operationId) => {
    const handler = () =>
      refuseUndocumented(501, { code: "NOT_IMPLEMENTED", msg: `${operationId} is not implemented` });
    unimplemented.add(handler);
    return [operationId, handler];
  });
  return Object.fromEntries(handlers);
}
