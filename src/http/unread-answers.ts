import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may stand still while an answer is sent, in milliseconds. */
const maxIdleMs = 30_000;

/**
 * Cuts a connection off when its client reads nothing of an answer, which is about to be sent, for 30 seconds. What is served on the
 * connection later is left as it was.
 */
export function cutOffUnread(response: ServerResponse): void {
  response.setTimeout(maxIdleMs).on("timeout", (socket: Socket) => socket.destroy());
  // Before Node's own listener, which may set the timeout of idle connections.
  response.prependOnceListener("finish", () => response.socket?.setTimeout(0));
}
