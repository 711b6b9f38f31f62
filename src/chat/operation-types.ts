import { operations } from "../../generated/chat/operations.js";
import type { operations as ApiOperations } from "../../generated/chat/types.js";
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

type Flat<T> = { [K in keyof T]: T[K] } & {};
type ParametersIn<O, In extends "path" | "query"> = O extends { parameters: { [K in In]?: infer P } }
  ? [P] extends [undefined]
    ? unknown
    : NonNullable<P>
  : unknown;
type BodyOf<O> = O extends { requestBody?: infer B }
  ? [NonNullable<B>] extends [never]
    ? unknown
    : NonNullable<B> extends { content: infer C }
      ? C[keyof C]
      : unknown
  : unknown;

/** The path, query and body parameters of an operation in one flat object. */
export type CallParameters<Id extends OperationId> = Flat<
  ParametersIn<ApiOperations[Id], "path"> & ParametersIn<ApiOperations[Id], "query"> & BodyOf<ApiOperations[Id]>
>;

/** The responses of an operation, by status. */
export type ResponsesOf<Id extends OperationId> = ApiOperations[Id]["responses"];

/** The body of a response. */
export type ContentOf<R> = R extends { content: infer C } ? C[keyof C] : undefined;

/**
 * An HTTP status that the contract does not document for the operation, such as 429. Its own type, so that comparing `status` with a
 * documented status narrows the result. At run time it is a number; read it as `response.status`.
 */
export declare enum OtherStatus {
  Undocumented = -1,
}

type ResultOf<Responses> = {
  [S in keyof Responses]: S extends number
    ? `${S}` extends `2${string}`
      ? { readonly ok: true; readonly status: S; readonly data: ContentOf<Responses[S]>; readonly response: Response }
      : { readonly ok: false; readonly status: S; readonly error: ContentOf<Responses[S]>; readonly response: Response }
    : {
        readonly ok: false;
        readonly status: OtherStatus;
        readonly error: ContentOf<Responses[S]>;
        readonly response: Response;
      };
}[keyof Responses];

/** The result of a call: a union discriminated by `ok` and `status`, and for errors by `error.code`. */
export type CallResult<Id extends OperationId = OperationId> = Id extends OperationId
  ? ResultOf<ResponsesOf<Id>>
  : never;
