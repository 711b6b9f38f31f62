import { stack } from "./stack.js";
import type { Variation } from "./variation.js";
import { choiceVariations } from "./variations/choice-variations.js";
import { contentVariations } from "./variations/content-variations.js";
import { formVariations } from "./variations/form-variations.js";
import { serverVariations } from "./variations/server-variations.js";

/** What keeps the contract, whatever it does otherwise. */
export const variations: readonly Variation[] = [
  ...formVariations,
  ...contentVariations,
  ...serverVariations,
  ...choiceVariations,
];

/** All of them at once, except the misjudged ones: those of the content change what those of the form write. */
export function allTogether(): Required<Pick<Variation, "behaviour" | "options" | "prepare">> & Variation {
  const judged = variations.filter(({ misjudged }) => !misjudged);
  return {
    name: "all-together",
    summary: "does all of this",
    behaviour: stack(judged.flatMap(({ behaviour }) => behaviour ?? [])),
    options: Object.assign({}, ...judged.map(({ options }) => options)),
    prepare: (reference) => {
      for (const { prepare } of judged) prepare?.(reference);
    },
  };
}
