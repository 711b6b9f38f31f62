/** A wrong behaviour that `accord verify` must report. */
export interface Fault<Behaviour> extends Variation<Behaviour> {
  readonly family: string;
  /** The rules that it breaks, or the operations whose schemas it breaks. */
  readonly breaks: readonly string[];
  /** The checks that should notice it, in the format of `--only`. Its verification runs only these. */
  readonly checkedBy: readonly string[];
  /**
   * Set if no check notices it yet: the heading of the requirements or the point of `generated/guides/open-questions.md` that it contradicts. A test
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

/** Functions that create behaviours. */
type Operators<Behaviour> = Readonly<Record<string, (...args: never[]) => Behaviour>>;

/** Completes a fault or variation with a behaviour: by the name of an operator, or `by` any behaviour. */
type Completing<Behaviour, Named, Row> = {
  readonly [Name in keyof Named]: Named[Name] extends (...args: infer Args) => Behaviour
    ? (...args: Args) => Row
    : never;
} & { readonly by: (behaviour: Behaviour) => Row };

/**
 * Creates the functions that describe faults and variations, which read as a sentence that ends with an operator:
 * `fault(name, summary).breaks(...rules).checkedBy(...checks).omits("getMessages", "anchor")`.
 */
export function createDescriptions<Behaviour, Named extends Operators<Behaviour>>(operators: Named) {
  function complete<Row extends Variation<Behaviour>>(rest: Omit<Row, "behaviour">): Completing<Behaviour, Named, Row> {
    const by = (behaviour: Behaviour) => ({ ...rest, behaviour });
    const named = Object.entries(operators).map(([name, operator]) => [
      name,
      (...args: never[]) => by(operator(...args)),
    ]);
    return { ...Object.fromEntries(named), by };
  }
  return {
    fault: (name: string, summary: string) => {
      const end = (rest: Omit<FaultRow<Behaviour>, "name" | "summary" | "behaviour">) =>
        complete<FaultRow<Behaviour>>({ name, summary, ...rest });
      return {
        /** Names the rules that it breaks. The checks of these rules should notice it, unless others are named. */
        breaks: (...breaks: readonly string[]) => ({
          checkedBy: (...checkedBy: readonly string[]) => end({ breaks, checkedBy }),
          ...end({ breaks, checkedBy: breaks }),
        }),
        /** Names what a fault contradicts that none of these checks notices yet. */
        missed: (contradicts: string, checkedBy: readonly string[]) =>
          end({ breaks: [], checkedBy, missed: contradicts }),
      };
    },
    variation: (name: string, summary: string) => complete<Variation<Behaviour>>({ name, summary }),
  };
}

/** Completes the faults of a family. */
export function ofFamily<Behaviour>(family: string, rows: readonly FaultRow<Behaviour>[]): Fault<Behaviour>[] {
  return rows.map((row) => ({ ...row, family }));
}
