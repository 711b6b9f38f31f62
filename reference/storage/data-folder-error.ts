import { UsageError } from "../../src/usage-error.js";

/** The data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends UsageError {
  override readonly name = "DataFolderError";
}
