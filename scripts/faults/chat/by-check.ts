import { type Behaviour, handles, setupOf, statesOf, statesPath } from "./behaviour.js";
import type { WireRequest } from "./wire.js";

/**
 * Combines behaviours so that each affects only the requests of some checks, whichever operations they call. A request belongs to the check
 * for which its caller was set up. Requests of other callers, or without credentials, pass unchanged.
 */
export function byCheck(
  behaviours: readonly { readonly checks: readonly string[]; readonly behaviour: Behaviour }[],
): Behaviour {
  return {
    on: "all",
    states: statesOf(behaviours.map(({ behaviour }) => behaviour)),
    start: (known) => {
      const handlers = new Map(
        behaviours.flatMap(({ checks, behaviour }) => {
          const handler = { behaviour, handle: behaviour.start(known) };
          return checks.map((check) => [check, handler] as const);
        }),
      );
      const handlerOf = (request: WireRequest) => {
        const check = request.target === statesPath ? setupOf(request).check : known.checkOf(request);
        const handler = handlers.get(check ?? "");
        return handler !== undefined && handles(handler.behaviour, request) ? handler : undefined;
      };
      return (request, forward) => handlerOf(request)?.handle(request, forward) ?? forward(request);
    },
  };
}
