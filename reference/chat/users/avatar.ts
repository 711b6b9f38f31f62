import type { IncomingMessage, ServerResponse } from "node:http";
import { writeError } from "../http/node-http.js";

const prefix = "/user_avatars/";

/** Path of the generated avatar of a user without a Gravatar. */
export function avatarUrl(userId: number): string {
  return `${prefix}${userId}.svg`;
}

/** Whether a path has the prefix of generated avatars. */
export function isAvatarPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** Serves a generated avatar. It depends only on the id in the path, so it does not reveal which users exist. */
export function serveAvatar({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const [, id] = /^(\d{1,15})\.svg(?:\?|$)/.exec(url.slice(prefix.length)) ?? [];
  if (id === undefined) {
    writeError(response, 404, "There is no such avatar");
    return;
  }
  const svg = drawAvatar(Number(id));
  response.writeHead(200, {
    "Content-Type": "image/svg+xml",
    "Content-Length": Buffer.byteLength(svg),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=86400",
  });
  response.end(svg);
}

/** Draws a mirrored pattern of 5 × 5 squares in a colour derived from the id. */
function drawAvatar(id: number): string {
  // Knuth's multiplicative hash spreads neighbouring ids.
  const hash = Number((BigInt(id) * 2_654_435_761n) % 4_294_967_296n);
  const squares = Array.from({ length: 15 }, (_, index) => index)
    .filter((index) => (hash >>> index) & 1)
    .flatMap((index) => {
      const [x, y] = [index % 3, Math.floor(index / 3)];
      return [...new Set([x, 4 - x])].map((column) => `M${column} ${y}h1v1h-1z`);
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7"><path fill="hsl(${hash % 360} 55% 45%)" d="${squares.join("")}"/></svg>`;
}
