/** A header as it was sent: name and value. A name may come several times. */
export type Header = readonly [name: string, value: string];

/** A request of the chat API on its way to the server. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as they were sent, with `/api/v1`. */
  readonly target: string;
  /** The operation that it calls; undefined when it is none. */
  readonly operationId: string | undefined;
  /** The decoded values of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** The answer on its way back. */
export interface WireResponse {
  readonly status: number;
  /** `Content-Length` is set anew when the body was changed. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** Sends the body chunked, in pieces of so many bytes. */
  readonly pieces?: number;
  /** Closes the connection after the answer. */
  readonly close?: boolean;
}

/** Sends a request to the server and gives its answer. */
export type Forward = (request: WireRequest) => Promise<WireResponse>;

/** Answers a request. */
export type Handle = (request: WireRequest, forward: Forward) => Promise<WireResponse> | WireResponse;

/** The value of a header; undefined when there is none. */
export function headerOf({ headers }: { readonly headers: readonly Header[] }, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

/** The same message with a header in the place of those of the same name; without a value, with none. */
export function withHeader<Message extends { readonly headers: readonly Header[] }>(
  message: Message,
  name: string,
  value?: string,
): Message {
  const others = message.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...message, headers: value === undefined ? others : [...others, [name, value]] };
}
