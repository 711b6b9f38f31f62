import { UsageError } from "../base/usage-error.js";

/** A verification could not run: the server does not respond, an option selects nothing. The message says what to do. */
export class CouldNotRunError extends UsageError {
  override readonly name = "CouldNotRunError";
}
