/**
 * How much of one answer is read, once it is decompressed: what gRPC takes by default. Answers to checks are far smaller, because these
 * make organizations of their own.
 */
export const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * How much of all answers a process holds together: of those that it is reading, and in a process of `respect`, which keeps every one
 * until its end, of all that came.
 */
export const maxHeldBytes = 16 * maxAnswerBytes;

/** What is wrong with an answer that has more than so many bytes, in a sentence. */
export function tooLarge(maxBytes: number): string {
  return `the answer is larger than ${bytesText(maxBytes)}`;
}

/** A number of bytes for people: `16 MiB`, `255 bytes`. */
export function bytesText(bytes: number): string {
  return bytes < 2 ** 20
    ? `${bytes} bytes`
    : `${(bytes / 2 ** 20).toLocaleString("en-US", { maximumFractionDigits: 3 })} MiB`;
}
