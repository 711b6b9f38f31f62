import { type Behaviour, handles, statesOf } from "./behaviour.js";

/** Combines behaviours of different operations. The first that handles an operation wins. */
export function combine(behaviours: readonly Behaviour[]): Behaviour {
  if (behaviours.length === 1 && behaviours[0] !== undefined) return behaviours[0];
  return {
    on: behaviours.some(({ on }) => on === "all") ? "all" : behaviours.flatMap(({ on }) => (on === "all" ? [] : on)),
    states: statesOf(behaviours),
    start: (known) => {
      const handlers = behaviours.map((behaviour) => ({ behaviour, handle: behaviour.start(known) }));
      return (request, forward) => {
        const found = handlers.find(({ behaviour }) => handles(behaviour, request));
        return found === undefined ? forward(request) : found.handle(request, forward);
      };
    },
  };
}
