import type { ContentOf, OperationId, ResponsesOf } from "../operation-types.js";

/**
 * Stands for an HTTP status that the contract does not name for the operation, such as 429. It is a type of its own, so that
 * comparing `status` with a documented one narrows a result; at run time it is a number, and is read as `response.status`.
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

/** What a call answers: a union told apart by `ok` and `status`, and within an error by `error.code`. */
export type CallResult<Id extends OperationId = OperationId> = Id extends OperationId
  ? ResultOf<ResponsesOf<Id>>
  : never;
