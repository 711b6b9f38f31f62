import { type ChatHandlers, type Refusal, refuse, refuseUndocumented } from "../../src/chat/server/index.js";
import { isOutOfSpace } from "../storage/errors.js";
import type { Caller } from "./services.js";

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

/** Wraps handlers so that they refuse a write when the disk is full, and report it to `onFault`. */
export function refuseWhenFull(
  handlers: ChatHandlers<Caller>,
  onFault: (error: unknown, operation: string) => void,
): ChatHandlers<Caller> {
  const guarded = Object.entries(handlers).map(([id, handler]) => {
    // The handler fits its call; the types cannot express this for all operations together.
    const run = handler as (call: object) => unknown;
    const guard = async (call: object) => {
      try {
        return await run(call);
      } catch (error) {
        if (!isOutOfSpace(error)) throw error;
        onFault(error, id);
        throw outOfSpace();
      }
    };
    return [id, guard];
  });
  return Object.fromEntries(guarded) as ChatHandlers<Caller>;
}
