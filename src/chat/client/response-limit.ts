/** The maximum size of a response. */
export interface ResponseLimit {
  /** The maximum number of bytes after decompression. */
  readonly maxBytes: number;
  /** Creates the error for a larger response. */
  readonly createError: () => Error;
}

/**
 * Limits what `text()` of a response reads: it rejects once the body exceeds the limit, and reads no more. Returns the same response,
 * because a copy would lose its URL.
 */
export function limitText(response: Response, limit: ResponseLimit): Response {
  const { body } = response;
  // Some implementations of `fetch` have no streams.
  if (typeof body?.getReader === "function") {
    Object.defineProperty(response, "text", { value: () => readText(body, limit) });
  }
  return response;
}

async function readText(body: ReadableStream<Uint8Array>, { maxBytes, createError }: ResponseLimit): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw createError();
    }
    text += decoder.decode(value, { stream: true });
  }
}
