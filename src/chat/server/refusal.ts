import type { components } from "../../../generated/chat/types.js";
import type { ContentOf, OperationId, ResponsesOf } from "../operation-types.js";

/** The fields of an error body, without `result`. */
export interface ErrorFields {
  readonly code: string;
  readonly msg: string;
}

type Headers = Readonly<Record<string, string>>;

/** An error response, which a handler returns or throws. The constructor throws a `RangeError` unless the status is from 400 to 599. */
export class Refusal<Status extends number = number, Fields extends ErrorFields = ErrorFields> extends Error {
  override readonly name = "Refusal";
  readonly status: Status;
  readonly fields: Fields;
  /** Headers of the response, such as `Retry-After`. */
  readonly headers: Headers;

  constructor(status: Status, fields: Fields, headers: Headers = {}) {
    super(`${status} [${fields.code}] ${fields.msg}`);
    if (!(status >= 400 && status <= 599))
      throw new RangeError(`${status} is not an error status; use one from 400 to 599`);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
  }
}

/** A refusal with an undocumented status or code, which every operation may return. */
export class UndocumentedRefusal extends Refusal {
  readonly undocumented = true;
}

type DocumentedFields<Body> = Body extends components["schemas"]["OtherError"]
  ? string extends Body["code"]
    ? Omit<Body, "result">
    : never
  : Body extends { code: components["schemas"]["DocumentedErrorCode"] }
    ? Omit<Body, "result">
    : never;

/** The refusals that the contract documents for an operation. */
export type RefusalOf<Id extends OperationId> =
  | UndocumentedRefusal
  | {
      [S in keyof ResponsesOf<Id> & number]: `${S}` extends `2${string}`
        ? never
        : Refusal<S, DocumentedFields<ContentOf<ResponsesOf<Id>[S]>> & ErrorFields>;
    }[keyof ResponsesOf<Id> & number];

/** Makes an error response with a documented status and code: `refuse(400, { code: "BAD_REQUEST", msg: "Invalid message" })`. */
export function refuse<const Status extends number, const Fields extends ErrorFields>(
  status: Status,
  fields: Fields,
  headers?: Headers,
): Refusal<Status, Fields> {
  return new Refusal(status, fields, headers);
}

/** Makes an error response with an undocumented status or code, such as one for a rate limit. */
export function refuseUndocumented(
  status: number,
  fields: ErrorFields & Readonly<Record<string, unknown>>,
  headers?: Headers,
): UndocumentedRefusal {
  return new UndocumentedRefusal(status, fields, headers);
}
