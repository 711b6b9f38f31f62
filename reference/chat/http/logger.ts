import { pino } from "pino";
import type { LogLevel } from "./log-levels.js";

/** Writes structured logs. Only these fields are ever logged: no header, key, text or query of a request gets here. */
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

/** Tells what happens in a server. */
export interface Logger {
  readonly request: (log: RequestLog) => void;
  /** A fault of the server itself. Only the kind of the error and where it arose are logged, since its message may quote a request. */
  readonly fault: (error: unknown, operation: string) => void;
}

/** Makes a logger that writes JSON lines to standard error: faults from level `error` on, requests from `info` on. */
export function createLogger(level: LogLevel): Logger {
  const log = pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
  return {
    request: (fields) => log.info(fields, "request"),
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
