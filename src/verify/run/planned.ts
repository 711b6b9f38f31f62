import type { Check } from "../../contract/check.js";

/** The checks of a contract that have steps, by their ids. Some are derived only when they are asked for. */
export interface Planned {
  readonly get: (id: string) => Check | undefined;
  readonly values: () => Iterable<Check>;
}
