import { UsageError } from "../../src/base/usage-error.js";
import { isDiskFull } from "../../src/server/rest/spool.js";

/** Thrown if the data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends UsageError {
  override readonly name = "DataFolderError";
}

/** Whether an error of the file system or SQLite, or any of its causes, means that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return isDiskFull(error) || code === "SQLITE_FULL" || (cause !== undefined && isOutOfSpace(cause));
}
