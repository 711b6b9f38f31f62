import { badRequest } from "../../bad-request.js";

const mebibyte = 1024 * 1024;

/** Most bytes of content and edit history in an answer: 32 MiB. */
export const mostAnswerBytes = 32 * mebibyte;

/** Throws a refusal when the contents and edit histories of the messages of a page are too long together. */
export function checkAnswerSize(sizes: readonly number[]): void {
  if (sizes.reduce((sum, size) => sum + size, 0) > mostAnswerBytes) {
    throw badRequest(
      `The content and edit history of these messages have more than ${mostAnswerBytes / mebibyte} MiB; ask for fewer messages`,
    );
  }
}
