/** A command cannot run as asked. The message says what to do instead; `accord` exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
