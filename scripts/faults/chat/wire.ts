/** Name and value of a header as sent. A name may occur several times. */
export type Header = readonly [name: string, value: string];

/** A request of the chat API on its way to the server. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as sent, with `/api/v1`. */
  readonly target: string;
  /** The operation that it calls; undefined if it calls none. */
  readonly operationId: string | undefined;
  /** The decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A response that the proxy is about to return. */
export interface WireResponse {
  readonly status: number;
  /** If the body changes, `Content-Length` is adapted. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** Sends the body in chunks of this many bytes. */
  readonly pieces?: number;
  /** Closes the connection after the response. */
  readonly close?: boolean;
}

/** Sends a request to the server and returns the response. */
export type Forward = (request: WireRequest) => Promise<WireResponse>;

/** Handles a request. */
export type Handle = (request: WireRequest, forward: Forward) => Promise<WireResponse> | WireResponse;

/** The value of a header; undefined if it is missing. */
export function headerOf({ headers }: { readonly headers: readonly Header[] }, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

/** Returns the message with a header replaced, or removed if `value` is omitted. */
export function withHeader<Message extends { readonly headers: readonly Header[] }>(
  message: Message,
  name: string,
  value?: string,
): Message {
  const others = message.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...message, headers: value === undefined ? others : [...others, [name, value]] };
}
