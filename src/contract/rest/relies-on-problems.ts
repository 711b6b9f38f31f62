import { didYouMean } from "../yaml-source.js";
import type { Rule } from "./rule.js";

/** Describes, in a sentence, each entry of `relies-on` that is not a recommendation, with its index. */
export function reliesOnProblems(
  reliesOn: unknown,
  rules: readonly Pick<Rule, "id" | "strength">[],
): { readonly index: number; readonly text: string }[] {
  if (reliesOn === undefined) return [];
  if (!Array.isArray(reliesOn) || reliesOn.length === 0) {
    return [{ index: 0, text: "`relies-on` must be a list of ids of recommendations; omit it if there are none." }];
  }
  const recommendations = rules.filter(({ strength }) => strength === "should").map(({ id }) => id);
  return reliesOn.flatMap((id: unknown, index) => {
    if (recommendations.some((known) => known === id)) return [];
    const text = rules.some((rule) => rule.id === id)
      ? `\`relies-on\` names \`${id}\`, which every server must keep: remove it, because only a recommendation may not be followed.`
      : `\`relies-on\`: there is no recommendation \`${id}\`: ${didYouMean(String(id), recommendations)}`;
    return [{ index, text }];
  });
}
