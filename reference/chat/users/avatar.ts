import type { IncomingMessage, ServerResponse } from "node:http";
import { writeError } from "../http/node-http.js";

const prefix = "/user_avatars/";

/** The path of the picture of a user who has no gravatar. */
export function avatarUrl(userId: number): string {
  return `${prefix}${userId}.svg`;
}

/** Whether a path is one of `avatarUrl`, or looks like it. */
export function isAvatarPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** Answers a path of `avatarUrl` with a picture made of the number alone, which tells nothing about who exists. */
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

/** A pattern of five by five squares, mirrored, in a colour of its own. */
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
