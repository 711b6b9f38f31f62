import type { Behaviour } from "./behaviour.js";
import type { Variation } from "./variation.js";
import { choiceVariations } from "./variations/choice-variations.js";
import { contentVariations } from "./variations/content-variations.js";
import { formVariations } from "./variations/form-variations.js";
import { serverVariations } from "./variations/server-variations.js";
import type { Handle } from "./wire.js";

/** What keeps the contract, whatever it does otherwise. */
export const variations: readonly Variation[] = [
  ...formVariations,
  ...contentVariations,
  ...serverVariations,
  ...choiceVariations,
];

/** All of them at once: those of the content change what those of the form write. */
export function allTogether(): Required<Variation> {
  const behaviours = variations.flatMap(({ behaviour }) => behaviour ?? []);
  return {
    name: "all-together",
    summary: "does all of this",
    behaviour: {
      on: "all",
      start: (known) => {
        const handlers = behaviours.map(({ on, start }) => restrict(on, start(known)));
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

/** Handles only the operations of a behaviour. */
function restrict(on: Behaviour["on"], handle: Handle): Handle {
  if (on === "all") return handle;
  return (request, forward) =>
    on.some((one) => one === request.operationId) ? handle(request, forward) : forward(request);
}
