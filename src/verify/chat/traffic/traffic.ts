/** A request of a client and its response, as a proxy or a recording saw them. */
export interface RecordedExchange {
  /** When the first byte of the request arrived, and the last byte of the response left; milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly request: RecordedMessage & {
    readonly method: string;
    /** Path and query as sent, such as `/api/v1/messages?anchor=newest`. */
    readonly target: string;
  };
  /** Undefined if the server sent none. */
  readonly response?: RecordedMessage & { readonly status: number };
  /** Why the exchange is incomplete, as a phrase: the client disconnected, or the server could not be reached. */
  readonly interruption?: string;
  /** How the proxy changed the response, or made it itself, so that it says nothing about the server. Undefined if it did not. */
  readonly provoked?: readonly string[];
}

/** The headers and body of a request or response. */
export interface RecordedMessage {
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. Undefined if it exceeds what is kept for judging. */
  readonly body: Uint8Array | undefined;
  readonly bodyBytes: number;
}

/** An exchange in the terms of the contract. */
export interface DecodedExchange {
  readonly recorded: RecordedExchange;
  /** The `operationId`. Undefined if the contract of the server's level has no such operation. */
  readonly operation: string | undefined;
  /** The decoded parameters by name, from path, query and form. Those that could not be decoded are absent. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Identifies the credentials without showing them. Undefined if the request has none. */
  readonly caller: string | undefined;
  /** The body of the response, parsed. Undefined if it is not JSON. */
  readonly answer: unknown;
  /** The body of the response as text, decompressed; undefined if there is none or it is too large. Parsing rounds integers above 2^53. */
  readonly answerText?: string | undefined;
}

/** Something that a request or response does, which its contract forbids or advises against. */
export interface Finding {
  readonly party: "client" | "server";
  /** The broken rule. Undefined for what follows from the schemas. */
  readonly rule?: string;
  /** `should` for recommendations, deprecated features and the like. */
  readonly strength: "must" | "should";
  /** What the finding is about within the rule and the operation, such as the name of a parameter. Findings are grouped by it. */
  readonly subject?: string;
  /** What is wrong and what was expected, in a sentence, with secrets masked. */
  readonly problem: string;
}
