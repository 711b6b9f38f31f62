/** The answer is not what a chat server sends: not JSON, or JSON without `result`. Usually `baseUrl` points elsewhere. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  /** The response, with its body already read. */
  readonly response: Response;

  constructor(operationId: string, response: Response) {
    const type = response.headers.get("Content-Type") ?? "no content type";
    super(
      `${operationId}: expected the JSON envelope of the chat API, got status ${response.status} with ${type}; check baseUrl`,
    );
    this.response = response;
  }
}
