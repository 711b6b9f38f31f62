/** A request of a client and its response, as a proxy or a recording saw them. */
export interface RecordedExchange {
  /** When the headers of the request arrived, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When the response ended, in milliseconds since 1970. */
  readonly endedAt: number;
  /** Identifies the connection of the client. Undefined if it is unknown. */
  readonly connection?: number;
  readonly request: RecordedMessage & {
    readonly method: string;
    /** Path and query as sent, such as `/v1/orders?status=open`. */
    readonly target: string;
  };
  /** Undefined if the server sent none. */
  readonly response?: RecordedMessage & { readonly status: number };
  /**
   * Whether the credentials were removed from the recording, so that their absence is no finding. Defaults to false.
   */
  readonly redacted?: boolean;
  /** Why the exchange is incomplete, as a phrase: the client disconnected, or the server could not be reached. */
  readonly interruption?: string;
  /** What makes the server's response one that cannot be passed on, as a clause. The exchange then has no response. */
  readonly malformed?: string;
  /**
   * How the proxy changed or made the response, which then says nothing about the server. Undefined if it did neither.
   */
  readonly provoked?: readonly string[];
  /** Whether the proxy would have changed the response, but passed it on because it is too large. Defaults to false. */
  readonly unchanged?: boolean;
}

/** The headers and body of a request or response. */
export interface RecordedMessage {
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. Undefined if it exceeds what is kept for judging, or was not sent as a whole. */
  readonly body: Uint8Array | undefined;
  /** The length of the body; 1 if a recording only shows that there was one. */
  readonly bodyBytes: number;
  /** The trailers of HTTP/2, by lower-case name. Undefined if there were none. */
  readonly trailers?: Readonly<Record<string, string>>;
}

/** Headers as Node reports them: names and values in turn, as sent. */
export type RawHeaders = readonly string[];

/** Pairs each name with its value. */
export function pairsOf(raw: RawHeaders): [name: string, value: string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
}

/** Collects headers by lower-case name, without the pseudo-headers of HTTP/2; repeated headers are joined with commas, cookies with semicolons (RFC 9110, section 5.3). */
export function headersByName(raw: RawHeaders): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [spelt, value] of pairsOf(raw)) {
    const name = spelt.toLowerCase();
    if (name.startsWith(":")) continue;
    found[name] = found[name] === undefined ? value : `${found[name]}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}
