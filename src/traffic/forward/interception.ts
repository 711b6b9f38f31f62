/** How a proxy treats a request that it does not forward unchanged. */
export interface Interception {
  /** The names of the applied changes, once the exchange has ended. */
  readonly provoked: () => readonly string[];
  /** How long the request waits before it is treated, in milliseconds. Defaults to 0. */
  readonly delayMs?: number;
  /** The response that the proxy gives in place of the server's. */
  readonly answer?: OwnAnswer;
  /** Changes the server's response if it is JSON. */
  readonly change?: ChangeAnswer;
  /** Another server to which the request goes, with another path and one more header. */
  readonly elsewhere?: { readonly origin: string; readonly path: string; readonly header: readonly [string, string] };
}

/** A response of the proxy itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Returns the text to send in place of the body of a response. Undefined if the body is too large to change. */
export type ChangeAnswer = (status: number, text: string) => string | undefined;
