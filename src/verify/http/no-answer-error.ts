import type { NoAnswerKind } from "../../judge/exchange.js";

/** A request, as those who send it know it. */
export interface RequestAbout {
  /** Such as `POST /pets`. */
  readonly request: string;
  readonly operation?: string;
  /** The rules that are broken if the request ends the server. */
  readonly rules?: readonly string[];
}

interface NoAnswerOptions extends ErrorOptions {
  readonly about?: RequestAbout;
  readonly isUnread?: boolean;
}

/** There was no response to judge. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly kind: NoAnswerKind;
  readonly about: RequestAbout | undefined;
  /** Whether the server closed the connection before it had read the request. */
  readonly isUnread: boolean;

  constructor(kind: NoAnswerKind, message: string, options: NoAnswerOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.about = options.about;
    this.isUnread = options.isUnread ?? false;
  }

  /** The same error, which names the request. */
  of(about: RequestAbout): NoAnswerError {
    return new NoAnswerError(this.kind, this.message, { cause: this.cause, about, isUnread: this.isUnread });
  }
}
