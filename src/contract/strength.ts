/**
 * How strongly a contract states a rule, as in RFC 2119. The requirements state a `must`. The contract recommends a `should` where the
 * requirements are silent, so that a server may deviate from it.
 */
export type Strength = "must" | "should";

/** The keys of a rule that state its strength. */
export interface StrengthOfRule {
  /** Defaults to `must`. */
  readonly strength?: Strength;
  /** The point that the requirements leave open and a `should` decides. A `must` has none. */
  readonly gap?: string;
}

/** Describes each mismatch of strength and gap in a sentence. */
export function strengthProblems({ strength = "must", gap }: StrengthOfRule): string[] {
  switch (strength) {
    case "must":
      return gap === undefined ? [] : ["`gap` is for recommendations alone; add `strength: should` or remove it."];
    case "should":
      return gap !== undefined && /\S/.test(gap)
        ? []
        : ["a rule with `strength: should` needs `gap`: the point that it decides."];
    default:
      return [`\`strength\` is ${JSON.stringify(strength)}; use must or should.`];
  }
}
