import { UsageError } from "../usage-error.js";

/** A verification could not run as asked: the server does not answer, an option leads to nothing. The message says what to do. */
export class CouldNotRunError extends UsageError {
  override readonly name = "CouldNotRunError";
}
