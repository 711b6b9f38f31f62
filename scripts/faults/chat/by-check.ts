import type { Behaviour } from "./behaviour.js";
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
    start: (known) => {
      const handlers = new Map(
        behaviours.flatMap(({ checks, behaviour: { on, start } }) => {
          const handler = { on, handle: start(known) };
          return checks.map((check) => [check, handler] as const);
        }),
      );
      const handlerOf = (request: WireRequest) => {
        const handler = handlers.get(known.checkOf(request) ?? "");
        return handler?.on === "all" || handler?.on.some((one) => one === request.operationId) ? handler : undefined;
      };
      return (request, forward) => handlerOf(request)?.handle(request, forward) ?? forward(request);
    },
  };
}
