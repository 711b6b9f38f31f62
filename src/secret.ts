import { inspect } from "node:util";

/** A string that is safe to log: in logs, template strings and JSON it appears as `[secret]`. */
export interface Secret {
  /** Returns the string itself. */
  readonly reveal: () => string;
}

const shown = "[secret]";

/** Wraps a string as a secret. */
export function createSecret(text: string): Secret {
  return Object.freeze({
    reveal: () => text,
    toString: () => shown,
    toJSON: () => shown,
    [inspect.custom]: () => shown,
  });
}
