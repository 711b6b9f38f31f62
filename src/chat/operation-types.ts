import { operations } from "../../generated/chat/operations.js";
import type { operations as ApiOperations } from "../../generated/chat/types.js";
import type { ParametersOf, ResponsesOf as ResponsesOfType, ResultOf } from "../runtime/rest/types.js";
import type { ChatOperation } from "./operation.js";

type Operations = typeof operations;

/** The operations that a client calls as functions. Excludes the tus endpoint, which has its own protocol. */
export type OperationId = {
  [Id in keyof Operations & keyof ApiOperations]: Operations[Id] extends { protocol: string } ? never : Id;
}[keyof Operations & keyof ApiOperations];

/** The rows of the operation table for all operations that a client calls as functions. */
export const callableOperations = Object.fromEntries(
  Object.entries<ChatOperation>(operations).filter(([, { protocol }]) => protocol === undefined),
) as { readonly [Id in OperationId]: ChatOperation };

/** The caller of an operation: `Caller`, or undefined if the operation needs no login. */
export type CallerOf<Id extends OperationId, Caller> = Id extends OperationId
  ? Operations[Id] extends { auth: false }
    ? undefined
    : Caller
  : never;

/** The path, query and body parameters of an operation in one flat object. */
export type CallParameters<Id extends OperationId> = ParametersOf<ApiOperations[Id]>;

/** The responses of an operation, by status. */
export type ResponsesOf<Id extends OperationId> = ResponsesOfType<ApiOperations[Id]>;

/** The result of a call: a union discriminated by `ok` and `status`, and for errors by `error.code`. */
export type CallResult<Id extends OperationId = OperationId> = Id extends OperationId
  ? ResultOf<ApiOperations[Id]>
  : never;
