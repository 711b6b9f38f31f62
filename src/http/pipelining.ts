import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum unanswered requests of a connection, more than any common client sends in advance. */
export const maxUnanswered = 16;

/**
 * Creates a function that returns whether to serve a request, and closes the connection if it has too many unanswered
 * requests. Node passes on as many requests at once as fit into 64 KiB, which is more than a thousand, whether or not
 * the client reads the responses.
 */
export function createPipeliningLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    // Requests that were read together with the one that exceeded the limit.
    if (socket.destroyed) return false;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > maxUnanswered) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, count);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return true;
  };
}
