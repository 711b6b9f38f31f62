import type { Behaviour } from "./behaviour.js";

/** Several behaviours at once, also on the same operations: the first one sees a request first and its answer last. */
export function stack(behaviours: readonly Behaviour[]): Behaviour {
  return {
    on: "all",
    start: (known) => {
      const handlers = behaviours.map(({ on, start }) => ({ on, handle: start(known) }));
      return (request, forward) =>
        handlers.reduceRight<typeof forward>(
          (inner, { on, handle }) =>
            async (one) =>
              on === "all" || on.some((operation) => operation === one.operationId) ? handle(one, inner) : inner(one),
          forward,
        )(request);
    },
  };
}
