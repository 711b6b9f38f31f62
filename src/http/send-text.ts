import type { ServerResponse } from "node:http";

/** How slowly a client may read an answer: one piece in each window. */
const maxPieceMs = 30_000;
/** UTF-16 code units that are handed to the connection at once; what waits there is held a second time. */
const pieceLength = 64 * 1024;

/** Sends the body of a response, a long one piece by piece as the client reads it. A client that reads too slowly is cut off. */
export function sendText(response: ServerResponse, text: string): void {
  if (text.length <= pieceLength) return void response.end(text);
  let at = 0;
  const timer = setTimeout(() => response.destroy(), maxPieceMs);
  const sendMore = () => {
    timer.refresh();
    while (at < text.length) {
      const end = pieceEnd(text, at + pieceLength);
      const isTaken = response.write(text.slice(at, end));
      at = end;
      if (!isTaken) return;
    }
    response.off("drain", sendMore);
    response.end();
  };
  response.on("drain", sendMore);
  response.once("close", () => clearTimeout(timer));
  sendMore();
}

/** The two halves of a character beyond the basic plane stay together. */
function pieceEnd(text: string, end: number): number {
  const isHigh = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
