/** There was no response to judge. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}
