/** What a change means for those who use the contract, in the words of semantic versioning; the least first. */
export const impacts = ["none", "patch", "minor", "major"] as const;
export type Impact = (typeof impacts)[number];

/** What changed in one contract since the last release. */
export interface Changes {
  readonly impact: Impact;
  /** Operations and RPCs that are touched, by name. */
  readonly affected: readonly string[];
  /** What decided the impact, one line each. */
  readonly reasons: readonly string[];
}

/** The greater of two impacts. */
export function greater(a: Impact, b: Impact): Impact {
  return impacts.indexOf(a) >= impacts.indexOf(b) ? a : b;
}
