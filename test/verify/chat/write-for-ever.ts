import type { ServerResponse } from "node:http";

/** Answers with a JSON string that has no end. */
export function writeForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, "a");
  response.writeHead(200, { "Content-Type": "application/json" }).write('"');
  const more = () => {
    if (!response.destroyed) response.write(piece, () => setImmediate(more));
  };
  more();
}
