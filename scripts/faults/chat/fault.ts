import type { Behaviour } from "./behaviour.js";

/** A wrong behaviour of a server that a verification has to notice. */
export interface Fault {
  /** Unique; in kebab case. */
  readonly name: string;
  readonly family: string;
  /** What the server does, in a phrase without a subject. */
  readonly summary: string;
  /** Rules that it breaks, or operations whose schemas it breaks: the verification has to report one of them at least. */
  readonly breaks: readonly string[];
  /** What the verification is confined to so that it is quick: beginnings of ids, as `--only` takes them. */
  readonly looksAt: readonly string[];
  readonly behaviour: Behaviour;
  /** No check notices it yet. A test asserts that, so that the mark is removed as soon as one does. */
  readonly missed?: true;
  /** The sentence of the requirements or the open question that it breaks, if no rule states it. */
  readonly point?: string;
}

/** A fault without its family. */
export type FaultRow = readonly [
  name: string,
  summary: string,
  behaviour: Behaviour,
  breaks: readonly string[],
  /** Defaults to what it breaks. */
  looksAt?: readonly string[],
  about?: Pick<Fault, "missed" | "point">,
];

/** The faults of a family. */
export function ofFamily(family: string, rows: readonly FaultRow[]): Fault[] {
  return rows.map(([name, summary, behaviour, breaks, looksAt = breaks, about = {}]) => ({
    ...{ name, family, summary, breaks, looksAt, behaviour },
    ...about,
  }));
}
