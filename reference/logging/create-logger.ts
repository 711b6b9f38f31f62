import { pino } from "pino";
import type { LogLevel } from "./log-levels.js";

/** The log of a server. `Request` has the only fields of a request that are logged. */
export interface Logger<Request extends object> {
  readonly request: (fields: Request) => void;
  /** Logs an internal error: only its type and stack frames, because its message may quote a request. */
  readonly fault: (error: unknown, operation: string) => void;
  /** Logs a warning for the operator. The text must not quote a request. */
  readonly warn: (text: string) => void;
}

/**
 * Creates a logger that writes JSON lines, by default to standard error: faults at level `error`, warnings at `warn`, requests
 * at `info`.
 */
export function createLogger<Request extends object>(level: LogLevel, file?: string): Logger<Request> {
  const log = pino({ level, base: null }, pino.destination({ dest: file ?? 2, sync: true }));
  return {
    request: (fields) => {
      const line: object = fields;
      log.info(line, "request");
    },
    warn: (text) => log.warn(text),
    fault: (error, operation) => {
      const { name, message = "", code, stack = "" } = (error ?? {}) as Partial<Error & { code: string }>;
      // The stack begins with the message, whose lines may look like frames.
      const frames = stack
        .replace(message, "")
        .split("\n")
        .filter((line) => /^\s+at /.test(line));
      log.error({ operation, error: name ?? typeof error, code, stack: frames.map((line) => line.trim()) }, "fault");
    },
  };
}
