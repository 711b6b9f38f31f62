import { pino } from "pino";
import type { LogLevel } from "./log-levels.js";

/** Tells what happens in a server. `Request` has the only fields that are logged of a request. */
export interface Logger<Request extends object> {
  readonly request: (fields: Request) => void;
  /** A fault of the server itself. Only the kind of the error and where it arose are logged, since its message may quote a request. */
  readonly fault: (error: unknown, operation: string) => void;
  /** What the operator is to know. The text quotes nothing of a request. */
  readonly warn: (text: string) => void;
}

/** Makes a logger that writes JSON lines, by default to standard error: faults from level `error` on, warnings from `warn` on, requests from `info` on. */
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
