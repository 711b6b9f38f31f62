import type { Variation } from "./variation.js";
import { contentVariations } from "./variations/content-variations.js";
import { formVariations } from "./variations/form-variations.js";
import { serverVariations } from "./variations/server-variations.js";

/** Every variation of a chat server. */
export const variations: readonly Variation[] = [...formVariations, ...contentVariations, ...serverVariations];

/** All variations at once. Those of the content apply before those of the form. */
export function allTogether(): Required<Variation> {
  const behaviours = variations.flatMap(({ behaviour }) => behaviour ?? []);
  return {
    name: "all-together",
    summary: "does all of this",
    behaviour: {
      on: "all",
      start: (known) => {
        const handlers = behaviours.map(({ start }) => start(known));
        return (request, forward) =>
          handlers.reduceRight<typeof forward>((inner, handle) => async (one) => handle(one, inner), forward)(request);
      },
    },
    options: Object.assign({}, ...variations.map(({ options }) => options)),
    prepare: (reference) => {
      for (const { prepare } of variations) prepare?.(reference);
    },
  };
}
