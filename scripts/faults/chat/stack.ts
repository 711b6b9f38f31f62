import { type Behaviour, handles, statesOf } from "./behaviour.js";

/** Several behaviours at once, also on the same operations: the first one sees a request first and its answer last. */
export function stack(behaviours: readonly Behaviour[]): Behaviour {
  return {
    on: "all",
    states: statesOf(behaviours),
    start: (known) => {
      const handlers = behaviours.map((behaviour) => ({ behaviour, handle: behaviour.start(known) }));
      return (request, forward) =>
        handlers.reduceRight<typeof forward>(
          (inner, { behaviour, handle }) =>
            async (one) =>
              handles(behaviour, one) ? handle(one, inner) : inner(one),
          forward,
        )(request);
    },
  };
}
