import type { Rule } from "../../src/contract/rest/rule.js";

/**
 * The newest level, up to `newest`, at which all these rules hold. Throws a `RangeError` if no level has all of them.
 */
export function levelOfRules(rules: readonly Rule[], newest: number): number {
  const level = Math.min(newest, ...rules.map(({ until }) => (until === undefined ? newest : until - 1)));
  const tooNew = rules.find(({ since = 0 }) => since > level);
  if (tooNew !== undefined) {
    throw new RangeError(
      `no level has all of ${rules.map(({ id }) => id).join(", ")}: ${tooNew.id} holds from ${tooNew.since} on`,
    );
  }
  return level;
}
