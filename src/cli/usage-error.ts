/** The user asked for something that cannot be done; the message says what to do instead. Printed without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
