/** A wrong behaviour that `accord verify` must report. */
export interface Fault<Behaviour> extends Variation<Behaviour> {
  readonly family: string;
  /** The rules that it breaks, or the operations whose schemas it breaks. */
  readonly breaks: readonly string[];
  /** The checks that should notice it, in the format of `--only`. Its verification runs only these. */
  readonly checkedBy: readonly string[];
  /**
   * Set if no check notices it yet: the heading of the requirements or the point of `docs/open-questions.md` that it contradicts. A test
   * asserts that, so that the mark is removed as soon as a check does.
   */
  readonly missed?: string;
}

/** A behaviour that keeps the contract, so `accord verify` must not report it. */
export interface Variation<Behaviour> {
  /** Unique; in kebab case. */
  readonly name: string;
  /** A predicate whose subject is the server: "omits `anchor`". */
  readonly summary: string;
  readonly behaviour: Behaviour;
}

/** A fault without its family. */
export type FaultRow<Behaviour> = Omit<Fault<Behaviour>, "family">;

/** Sets the behaviour of a fault, and with it completes the fault. */
type By = <Behaviour>(behaviour: Behaviour) => FaultRow<Behaviour>;

/** Describes a fault: `fault(name, summary).breaks(...rules).checkedBy(...checks).by(behaviour)`. */
export function fault(name: string, summary: string) {
  const by =
    (rest: Pick<FaultRow<unknown>, "breaks" | "checkedBy" | "missed">): By =>
    (behaviour) => ({ name, summary, ...rest, behaviour });
  return {
    /** Names the rules that it breaks. The checks of these rules should notice it, unless others are named. */
    breaks: (...breaks: readonly string[]) => ({
      checkedBy: (...checkedBy: readonly string[]) => ({ by: by({ breaks, checkedBy }) }),
      by: by({ breaks, checkedBy: breaks }),
    }),
    /** Names what a fault contradicts that none of these checks notices yet. */
    missed: (contradicts: string, checkedBy: readonly string[]) => ({
      by: by({ breaks: [], checkedBy, missed: contradicts }),
    }),
  };
}

/** Completes the faults of a family. */
export function ofFamily<Behaviour>(family: string, rows: readonly FaultRow<Behaviour>[]): Fault<Behaviour>[] {
  return rows.map((row) => ({ ...row, family }));
}

/** Describes a variation: `variation(name, summary).by(behaviour)`. */
export function variation(name: string, summary: string) {
  return { by: <Behaviour>(behaviour: Behaviour): Variation<Behaviour> => ({ name, summary, behaviour }) };
}
