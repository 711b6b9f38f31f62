import { isDiskFull } from "../../src/chat/server/disk-space.js";
import { type Refusal, refuseUndocumented } from "../../src/chat/server/index.js";

/** Whether an error, of the file system or of SQLite, says that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return isDiskFull(error) || ((error ?? {}) as { code?: unknown }).code === "SQLITE_FULL";
}

/** Refuses a write for which the disk has no room. */
export function outOfSpace(): Refusal {
  return refuseUndocumented(507, {
    code: "INTERNAL_SERVER_ERROR",
    msg: "The disk of the server is full, so that nothing can be written; what is there can be read",
  });
}
