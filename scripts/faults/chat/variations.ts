import type { Behaviour } from "./behaviour.js";
import type { ChatVariation } from "./fault.js";
import { faults } from "./faults.js";
import { stack } from "./stack.js";
import { choiceVariations } from "./variations/choice-variations.js";
import { contentVariations } from "./variations/content-variations.js";
import { deviations } from "./variations/deviations.js";
import { formVariations } from "./variations/form-variations.js";
import { serverVariations } from "./variations/server-variations.js";

/** Every variation of a chat server. */
export const variations: readonly ChatVariation[] = [
  ...formVariations,
  ...contentVariations,
  ...serverVariations,
  ...choiceVariations,
];

/** The deviations, without those that are also faults. */
export const ownDeviations: readonly ChatVariation[] = deviations.filter(
  ({ name }) => !faults.some((fault) => fault.name === name),
);

/** All deviations at once. */
export function allDeviations(): Behaviour {
  return stack(deviations.map(({ behaviour }) => behaviour));
}

/** Combines variations. Earlier ones see a request first and its answer last, so that content changes before its form. */
export function together(some: readonly ChatVariation[]): ChatVariation {
  return {
    name: some.map(({ name }) => name).join(", "),
    summary: "does all of this",
    behaviour: stack(some.flatMap(({ behaviour }) => behaviour ?? [])),
    options: Object.assign({}, ...some.map(({ options }) => options)),
    prepare: async (reference) => {
      for (const { prepare } of some) await prepare?.(reference);
    },
  };
}
