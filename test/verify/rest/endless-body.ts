import type { ServerResponse } from "node:http";

/** Responds with a JSON string that never ends. */
export function sendEndlessBody(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, "a");
  response.writeHead(200, { "Content-Type": "application/json" }).write('"');
  const more = () => {
    if (!response.destroyed) response.write(piece, () => setImmediate(more));
  };
  more();
}
