import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may be idle while a response is sent, in milliseconds. */
export const maxIdleMs = 30_000;

/**
 * Disconnects a client that stops reading the response for 30 seconds. Has no effect before the response has started, or on later
 * responses of the connection.
 */
export function disconnectIfUnread(response: ServerResponse): void {
  response.setTimeout(maxIdleMs).on("timeout", (socket: Socket) => {
    if (response.headersSent) socket.destroy();
  });
  // Before Node's own listener, which may set the timeout of idle connections.
  response.prependOnceListener("finish", () => response.socket?.setTimeout(0));
}
