import { type Refusal, refuseUndocumented } from "../../src/chat/server/index.js";

/** Refuses a write for which the disk has no room. */
export function outOfSpace(): Refusal {
  return refuseUndocumented(507, {
    code: "INTERNAL_SERVER_ERROR",
    msg: "The disk of the server is full, so that nothing can be written; what is there can be read",
  });
}
