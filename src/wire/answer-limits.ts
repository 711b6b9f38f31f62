/**
 * The maximum size of a response in bytes, decompressed: the default of gRPC. Responses to checks are far smaller, because each check
 * sets up its own organization.
 */
export const maxAnswerBytes = 4 * 1024 * 1024;

/** The maximum size of all responses that a process holds at once, in bytes. */
export const maxHeldBytes = 16 * maxAnswerBytes;

/** Describes a response that is larger than the maximum. */
export function tooLarge(maxBytes: number): string {
  return `the answer is larger than ${bytesText(maxBytes)}`;
}

/** Formats a number of bytes in a readable unit: `16 MiB`, `255 bytes`. */
export function bytesText(bytes: number): string {
  return bytes < 2 ** 20
    ? `${bytes} bytes`
    : `${(bytes / 2 ** 20).toLocaleString("en-US", { maximumFractionDigits: 3 })} MiB`;
}
