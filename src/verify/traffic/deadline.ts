import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The server took too long to accept the connection, or neither side sent anything for too long. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
}

/** The time limit of a request. `refresh` restarts it, and is called whenever bytes pass in either direction. */
export interface Deadline {
  readonly refresh: () => void;
}

/** How long the server may take. */
export interface DeadlineLimits {
  readonly maxConnectMs: number;
  readonly maxSilenceMs: number;
}

/** Destroys a request with a `SilenceError` once it makes no progress. */
export function createDeadline(outgoing: ClientRequest, { maxConnectMs, maxSilenceMs }: DeadlineLimits): Deadline {
  const expire = (reason: string) => () => void outgoing.destroy(new SilenceError(reason));
  const timer = setTimeout(expire(`it sent nothing for ${maxSilenceMs / 1000} seconds`), maxSilenceMs);
  let connecting: NodeJS.Timeout | undefined;
  outgoing.once("socket", (socket: Socket) => {
    if (!socket.connecting) return;
    connecting = setTimeout(
      expire(`it did not accept the connection within ${maxConnectMs / 1000} seconds`),
      maxConnectMs,
    );
    const connected = () => clearTimeout(connecting);
    socket.once(isTls(socket) ? "secureConnect" : "connect", connected);
  });
  outgoing.once("close", () => {
    clearTimeout(timer);
    clearTimeout(connecting);
  });
  return { refresh: () => void timer.refresh() };
}

function isTls(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket;
}
