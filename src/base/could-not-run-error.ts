import { UsageError } from "./usage-error.js";

/** A verification could not run: the server does not respond, an option selects nothing. The message says what to do. */
export class CouldNotRunError extends UsageError {
  override readonly name = "CouldNotRunError";
}

/** A verification was stopped too early to say anything. */
export function stoppedBeforeChecks(): CouldNotRunError {
  return new CouldNotRunError("It was stopped before the first check");
}
