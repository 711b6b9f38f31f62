import { type ChatHandlers, type Refusal, refuse, refuseUndocumented } from "../../src/chat/server/index.js";
import { isOutOfSpace } from "../storage/errors.js";
import { hasNullByte } from "./null-bytes.js";
import type { Caller } from "./services.js";
import { databaseFault } from "./storage/database-fault.js";

/** A refusal with the generic code `BAD_REQUEST` (Errors) and a human-readable message. */
export function badRequest(msg: string): Refusal<400, { readonly code: "BAD_REQUEST"; readonly msg: string }> {
  return refuse(400, { code: "BAD_REQUEST", msg });
}

/** The refusal of a write because the disk is full. */
export function outOfSpace(): Refusal {
  return refuseUndocumented(507, {
    code: "INTERNAL_SERVER_ERROR",
    msg: "The disk of the server is full; reading still works, writing does not",
  });
}

/** The refusal of a call that the database could not carry out. */
function unavailable(msg: string): Refusal {
  return refuseUndocumented(503, { code: "SERVICE_UNAVAILABLE", msg }, { "Retry-After": "1" });
}

/** The refusal of a call that failed because of the disk or the database; undefined for any other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (isOutOfSpace(error)) return outOfSpace();
  const fault = databaseFault(error);
  switch (fault) {
    case "unavailable":
      return unavailable("The database of the server is unavailable; try again");
    case "conflict":
      return unavailable("Other calls changed the same data at the same time; try again");
    case "too-long":
      return unavailable("This search takes too long; add conditions to the narrow");
    case "invalid-value":
      return badRequest("A parameter has a number that is too large");
    case undefined:
      return undefined;
  }
}

/**
 * Wraps handlers so that they refuse null bytes in parameters, and calls that fail as in `refusalOf`. Reports failures of the server to
 * `onFault`.
 */
export function refuseFaults(
  handlers: ChatHandlers<Caller>,
  onFault: (error: unknown, operation: string) => void,
): ChatHandlers<Caller> {
  const guarded = Object.entries(handlers).map(([id, handler]) => {
    // The handler fits its call; the types cannot express this for all operations together.
    const run = handler as (call: object) => unknown;
    const guard = async (call: { readonly parameters: object }) => {
      const [name] = Object.entries(call.parameters).find(([, value]) => hasNullByte(value)) ?? [];
      if (name !== undefined) throw badRequest(`Argument '${name}' must not contain a null byte`);
      try {
        return await run(call);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        if (refusal.status >= 500) onFault(error, id);
        throw refusal;
      }
    };
    return [id, guard];
  });
  return Object.fromEntries(guarded) as ChatHandlers<Caller>;
}
