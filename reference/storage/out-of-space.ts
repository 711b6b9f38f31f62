import { isDiskFull } from "../../src/chat/server/disk-space.js";

/** Whether an error, of the file system or of SQLite, says that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return isDiskFull(error) || ((error ?? {}) as { code?: unknown }).code === "SQLITE_FULL";
}
