import type { operations as operationTable } from "../../generated/chat/operations.js";
import type { operations as ApiOperations } from "../../generated/chat/types.js";

/** The operations that a client calls as functions; the tus endpoint speaks a protocol of its own. */
export type OperationId = Exclude<keyof typeof operationTable & keyof ApiOperations, "createResumableUpload">;

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

/** The parameters of an operation in one flat object: path, query and body values together. */
export type CallParameters<Id extends OperationId> = Flat<
  ParametersIn<ApiOperations[Id], "path"> & ParametersIn<ApiOperations[Id], "query"> & BodyOf<ApiOperations[Id]>
>;

/** The responses of an operation, by status. */
export type ResponsesOf<Id extends OperationId> = ApiOperations[Id]["responses"];

/** The body of a response. */
export type ContentOf<R> = R extends { content: infer C } ? C[keyof C] : undefined;
