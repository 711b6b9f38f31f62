/** The response is not one of the API: of another media type or form, or a redirect. Usually `baseUrl` is wrong. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  /** The response, with its body already read. */
  readonly response: Response;

  /** `problem` replaces the usual description of what is wrong. */
  constructor(operationId: string, response: Response, problem?: string) {
    const type = response.headers.get("Content-Type") ?? "no content type";
    const usual = `expected a response of the API, got status ${response.status} with ${type}; check baseUrl`;
    super(`${operationId}: ${problem ?? usual}`);
    this.response = response;
  }
}

/** The response is larger than `maxBytes`, so the client stopped reading it. */
export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes; pass a larger maxBytes to the client if you expect it`);
  }
}
