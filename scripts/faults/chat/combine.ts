import type { Behaviour } from "./behaviour.js";

/** Combines behaviours of different operations. The first that handles an operation wins. */
export function combine(behaviours: readonly Behaviour[]): Behaviour {
  if (behaviours.length === 1 && behaviours[0] !== undefined) return behaviours[0];
  return {
    on: behaviours.some(({ on }) => on === "all") ? "all" : behaviours.flatMap(({ on }) => (on === "all" ? [] : on)),
    start: (known) => {
      const handlers = behaviours.map(({ on, start }) => ({ on, handle: start(known) }));
      return (request, forward) => {
        const found = handlers.find(({ on }) => on === "all" || on.some((one) => one === request.operationId));
        return found === undefined ? forward(request) : found.handle(request, forward);
      };
    },
  };
}
