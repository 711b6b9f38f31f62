import type { components } from "../../../generated/chat/types.js";
import * as runtime from "../../runtime/rest/server/refusal.js";
import type { ContentOf } from "../../runtime/rest/types.js";
import type { OperationId, ResponsesOf } from "../operation-types.js";

/** The fields of an error body, without `result`. */
export interface ErrorFields {
  readonly code: string;
  readonly msg: string;
}

type DocumentedFields<Body> = Body extends components["schemas"]["OtherError"]
  ? string extends Body["code"]
    ? Omit<Body, "result">
    : never
  : Body extends { code: components["schemas"]["DocumentedErrorCode"] }
    ? Omit<Body, "result">
    : never;

/** A refusal with an undocumented status or code, which every operation may return. */
export type UndocumentedRefusal = runtime.UndocumentedRefusal<ErrorFields>;

/** The refusals that the contract documents for an operation. */
export type RefusalOf<Id extends OperationId> =
  | UndocumentedRefusal
  | {
      [S in keyof ResponsesOf<Id> & number]: `${S}` extends `2${string}`
        ? never
        : runtime.Refusal<S, DocumentedFields<ContentOf<ResponsesOf<Id>[S]>> & ErrorFields>;
    }[keyof ResponsesOf<Id> & number];

/** Makes an error response with a documented status and code: `refuse(400, { code: "BAD_REQUEST", msg: "Invalid message" })`. */
export const refuse: <const Status extends number, const Fields extends ErrorFields>(
  status: Status,
  fields: Fields,
  headers?: Readonly<Record<string, string>>,
) => runtime.Refusal<Status, Fields> = runtime.refuse;

/** Makes an error response with an undocumented status or code, such as one for a rate limit. */
export const refuseUndocumented: (
  status: number,
  fields: ErrorFields & Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
) => UndocumentedRefusal = runtime.refuseUndocumented;
