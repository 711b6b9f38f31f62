import type { Behaviour } from "./behaviour.js";
import { stack } from "./stack.js";
import type { Variation } from "./variation.js";
import { choiceVariations } from "./variations/choice-variations.js";
import { contentVariations } from "./variations/content-variations.js";
import { deviations } from "./variations/deviations.js";
import { formVariations } from "./variations/form-variations.js";
import { serverVariations } from "./variations/server-variations.js";

/** Every variation of a chat server. */
export const variations: readonly Variation[] = [
  ...formVariations,
  ...contentVariations,
  ...serverVariations,
  ...choiceVariations,
];

/** All deviations at once. */
export function allDeviations(): Behaviour {
  return stack(deviations.map(({ behaviour }) => behaviour));
}

/** All variations at once, except misjudged ones. Those of the content apply before those of the form. */
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
