import type { RecordedExchange } from "../../traffic/traffic.js";

/** An exchange, decoded according to the contract. */
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
