/** A verification could not run as asked: the server does not answer, an option leads to nothing. The message says what to do. */
export class CouldNotRunError extends Error {
  override readonly name = "CouldNotRunError";
}
