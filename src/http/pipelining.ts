import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that may be unanswered at a time: more than any client in use sends ahead. */
const maxUnanswered = 16;

/**
 * Makes a function that says whether a request may be served, and cuts its connection off if too many requests on it are unanswered.
 * Node hands over as many requests at once as fit into 64 KiB, more than a thousand, whether or not their client reads the answers.
 */
export function createPipeliningLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    // What was read together with the request that was one too many.
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
