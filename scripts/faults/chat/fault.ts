import type { Behaviour } from "./behaviour.js";

/** A wrong behaviour of a server that `accord verify` must report. */
export interface Fault {
  /** Unique; in kebab case. */
  readonly name: string;
  readonly family: string;
  /** A predicate whose subject is the server: "omits `anchor`". */
  readonly summary: string;
  /** The rules that it breaks, or the operations whose schemas it breaks. At least one must be reported. */
  readonly breaks: readonly string[];
  /** The checks that should notice it, in the format of `--only`. Its verification runs only these. */
  readonly checkedBy: readonly string[];
  readonly behaviour: Behaviour;
  /** No check notices it yet. A test asserts that, so that the mark is removed as soon as one does. */
  readonly missed?: true;
  /** The sentence of the requirements or the open question that it contradicts, if no rule states it. */
  readonly point?: string;
}

/** A fault without its family. */
export type FaultRow = readonly [
  name: string,
  summary: string,
  behaviour: Behaviour,
  breaks: readonly string[],
  /** Defaults to `breaks`. */
  checkedBy?: readonly string[],
  about?: Pick<Fault, "missed" | "point">,
];

/** Creates the faults of a family. */
export function ofFamily(family: string, rows: readonly FaultRow[]): Fault[] {
  return rows.map(([name, summary, behaviour, breaks, checkedBy = breaks, about = {}]) => ({
    ...{ name, family, summary, breaks, checkedBy, behaviour },
    ...about,
  }));
}
