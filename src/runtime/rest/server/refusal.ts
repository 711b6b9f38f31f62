type Headers = Readonly<Record<string, string>>;

/** An error response, which a handler returns or throws. The constructor throws a `RangeError` unless the status is from 400 to 599. */
export class Refusal<Status extends number = number, Fields = unknown> extends Error {
  override readonly name = "Refusal";
  readonly status: Status;
  /** The body, without the members that every error of the API has. */
  readonly fields: Fields;
  /** Headers of the response, such as `Retry-After`. */
  readonly headers: Headers;

  constructor(status: Status, fields: Fields, headers: Headers = {}) {
    super(`${status} ${JSON.stringify(fields)}`);
    if (!(status >= 400 && status <= 599))
      throw new RangeError(`${status} is not an error status; use one from 400 to 599`);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
  }
}

/** A refusal with an undocumented status or body, which every operation may return. */
export class UndocumentedRefusal<Fields = unknown> extends Refusal<number, Fields> {
  readonly undocumented = true;
}

/** Makes an error response that the contract documents, such as `refuse(404, { code: "no-such-artwork" })`. */
export function refuse<const Status extends number, const Fields>(
  status: Status,
  fields: Fields,
  headers?: Headers,
): Refusal<Status, Fields> {
  return new Refusal(status, fields, headers);
}

/** Makes an error response with an undocumented status or body, such as one for a rate limit. */
export function refuseUndocumented<Fields>(
  status: number,
  fields: Fields,
  headers?: Headers,
): UndocumentedRefusal<Fields> {
  return new UndocumentedRefusal(status, fields, headers);
}

/** A success with a status or headers of its own, which a handler returns in place of its body. */
export class Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;

  constructor(status: Status, body: Body, headers: Headers = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Makes a success with a status or headers of its own, such as `reply(201, artwork, { Location: "/artworks/7" })`. */
export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
  headers?: Headers,
): Reply<Status, Body> {
  return new Reply(status, body, headers);
}
