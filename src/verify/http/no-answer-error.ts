/**
 * Why there was no response: no connection could be made, the server closed it after the request was sent, what it sent is no response, the
 * time limit ran out, it kept answering 429, or a gateway in front of it answered instead.
 */
export type NoAnswerKind = "unreachable" | "dropped" | "unreadable" | "timeout" | "busy" | "gateway";

/** There was no response to judge. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly kind: NoAnswerKind;

  constructor(kind: NoAnswerKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
