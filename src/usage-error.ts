/** A command cannot run as asked; the message says what to do instead. `accord` then exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
