import { inspect } from "node:util";

/** A text that does not print: as text, as JSON and in `console.log`, it is `***`. */
export interface Secret {
  /** The text itself. */
  readonly reveal: () => string;
}

/** Wraps a text, or what returns one that changes, so that only `reveal` returns it. */
export function createSecret(text: string | (() => string)): Secret {
  const hidden = () => "***";
  // Not enumerable, so that no copy of the object or loop over its members shows more.
  return Object.defineProperties({} as Secret, {
    reveal: { value: typeof text === "string" ? () => text : text },
    toString: { value: hidden },
    toJSON: { value: hidden },
    [inspect.custom]: { value: hidden },
  });
}
