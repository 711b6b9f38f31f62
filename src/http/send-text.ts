import type { ServerResponse } from "node:http";

/** How long a client may take to read one chunk, in milliseconds. */
export const maxChunkMs = 30_000;
/** UTF-16 code units per chunk. Small, because the connection keeps a second copy of a chunk until it is sent. */
const chunkLength = 64 * 1024;

/** Sends the body of a response, in chunks if it is long. Disconnects a client that reads too slowly. */
export function sendText(response: ServerResponse, text: string): void {
  if (text.length <= chunkLength) return void response.end(text);
  let at = 0;
  const timer = setTimeout(() => response.destroy(), maxChunkMs);
  const sendMore = () => {
    timer.refresh();
    while (at < text.length) {
      const end = chunkEnd(text, at + chunkLength);
      const isFlushed = response.write(text.slice(at, end));
      at = end;
      if (!isFlushed) return;
    }
    response.off("drain", sendMore);
    response.end();
  };
  response.on("drain", sendMore);
  response.once("close", () => clearTimeout(timer));
  sendMore();
}

/** Moves the end of a chunk so that it does not split a surrogate pair. */
function chunkEnd(text: string, end: number): number {
  const isHigh = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
