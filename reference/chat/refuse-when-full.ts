import type { ChatHandlers } from "../../src/chat/server/index.js";
import { isOutOfSpace } from "../storage/out-of-space.js";
import { outOfSpace } from "./out-of-space.js";
import type { Caller } from "./services.js";

/** Makes handlers refuse what they cannot write because the disk is full. `onFault` is told of it. */
export function refuseWhenFull(
  handlers: ChatHandlers<Caller>,
  onFault: (error: unknown, operation: string) => void,
): ChatHandlers<Caller> {
  const guarded = Object.entries(handlers).map(([id, handler]) => {
    // The handler and its call fit, which the compiler cannot see for all operations at once.
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
