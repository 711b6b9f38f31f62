import type { Logger as LoggerOf } from "../../logging/create-logger.js";

/** What is logged of a request. No header, key, text or query gets here. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  /** The operation, or the kind of another path, never the path itself. */
  readonly operation: string;
  readonly status: number;
  /** False when the client was gone before it had the whole answer. */
  readonly answered: boolean;
  readonly durationMs: number;
}

/** Tells what happens in a chat server. */
export type Logger = LoggerOf<RequestLog>;
