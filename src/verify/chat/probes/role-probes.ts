import { makeProbe, refusalOf, successesOf } from "./listed-probes.js";
import type { Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** Rules that keep a role out, by the end of their ids, and the callers (`x-callers` of the provider states) who do not have it. */
const restrictions = [
  { suffix: "owners-only", within: ["owner"], without: ["administrator", "moderator", "member", "guest", "bot"] },
  {
    suffix: "administrators-only",
    within: ["owner", "administrator"],
    without: ["moderator", "member", "guest", "bot"],
  },
] as const;

/** What only owners or administrators may do, where a rule says so, done by each caller who is none. */
export function roleProbes(operation: ProbedOperation): Probe[] {
  return [...operation.rules].flatMap((rule) => {
    const restriction = restrictions.find(({ suffix }) => new RegExp(`[.-]${suffix}$`).test(rule));
    if (restriction === undefined || !rule.startsWith(`${operation.feature}.`)) return [];
    const { suffix, within, without } = restriction;
    // `role-added-by-owners-only` restricts what `role-added` allows; `administrators-only` restricts the whole operation.
    const allowed = rule.slice(0, -suffix.length).replace(/-(by-)?$/, "");
    const base = successesOf(operation).find(
      (one) => (within as readonly string[]).includes(one.as) && (allowed.endsWith(".") || one.rule === allowed),
    );
    if (base === undefined) return [];
    const action = allowed.endsWith(".") ? "" : `${allowed.slice(operation.feature.length + 1)}-`;
    return without.map((caller) =>
      makeProbe(operation, {
        name: `${action}by-${caller}`,
        summary: `Sent by ${caller}, who has not the role that it takes`,
        rules: [rule],
        base,
        change: { kind: "caller", caller },
        expectation: refusalOf(operation, rule),
      }),
    );
  });
}
