/** The impact of a change on users of the contract, in terms of semantic versioning; lowest first. */
export const impacts = ["none", "patch", "minor", "major"] as const;
export type Impact = (typeof impacts)[number];

/** The changes of one contract since the last release. */
export interface Changes {
  readonly impact: Impact;
  /** Names of the changed operations and RPCs. */
  readonly affected: readonly string[];
  /** The reasons for the impact, one line each. */
  readonly reasons: readonly string[];
}

/** Combines the changes that several comparisons found. */
export function mergeChanges(...changes: readonly Changes[]): Changes {
  return {
    impact: changes.reduce<Impact>((max, { impact }) => greater(max, impact), "none"),
    affected: [...new Set(changes.flatMap(({ affected }) => affected))].sort(),
    reasons: changes.flatMap(({ reasons }) => reasons),
  };
}

/** Returns the greater of two impacts. */
export function greater(a: Impact, b: Impact): Impact {
  return impacts.indexOf(a) >= impacts.indexOf(b) ? a : b;
}
