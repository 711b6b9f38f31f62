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

/** Returns the greater of two impacts. */
export function greater(a: Impact, b: Impact): Impact {
  return impacts.indexOf(a) >= impacts.indexOf(b) ? a : b;
}
