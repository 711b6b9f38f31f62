/** The maximum size of a response. */
export interface ResponseLimit {
  /** The maximum number of bytes after decompression. */
  readonly maxBytes: number;
  /** Creates the error for a larger response. */
  readonly createError: () => Error;
}

/**
 * Limits what `text()` and `blob()` of a response read: they reject once the body exceeds the limit, and read no more. Returns the same
 * response, because a copy would lose its URL.
 */
export function limitBody(response: Response, limit: ResponseLimit): Response {
  const { body } = response;
  // Some implementations of `fetch` have no streams.
  if (typeof body?.getReader !== "function") return response;
  const blob = async () =>
    new Blob(await readChunks(body, limit), { type: response.headers.get("Content-Type") ?? "" });
  return Object.defineProperties(response, {
    blob: { value: blob },
    text: { value: async () => new Blob(await readChunks(body, limit)).text() },
  });
}

async function readChunks(body: ReadableStream<Uint8Array>, limit: ResponseLimit): Promise<BlobPart[]> {
  const reader = body.getReader();
  const chunks: BlobPart[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    length += value.length;
    if (length > limit.maxBytes) {
      await reader.cancel();
      throw limit.createError();
    }
    chunks.push(value as BlobPart);
  }
}
