import { inspect } from "node:util";

/** A text that cannot be printed by accident: logged, put into a string or into JSON it shows as `[secret]`. */
export interface Secret {
  /** The text itself. */
  readonly reveal: () => string;
}

const shown = "[secret]";

/** Wraps a text as a secret. */
export function createSecret(text: string): Secret {
  return Object.freeze({
    reveal: () => text,
    toString: () => shown,
    toJSON: () => shown,
    [inspect.custom]: () => shown,
  });
}
