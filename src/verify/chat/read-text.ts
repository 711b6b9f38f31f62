/** A response was larger than it may be. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/**
 * The body of a response as UTF-8. Rejects with a `TooLargeError`, and ends the response, as soon as it is larger than `mostBytes`;
 * otherwise rejects as `fetch` does.
 */
export async function readText({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return "";
  const pieces: Uint8Array[] = [];
  let length = 0;
  // A stream of the platform; its type does not say that it can be iterated over.
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > mostBytes) throw new TooLargeError(`the answer is larger than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
