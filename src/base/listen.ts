import type { Server } from "node:http";
import type { Socket } from "node:net";
import { UsageError } from "./usage-error.js";

/** Where a server listens. */
export interface ListenOptions {
  /** Defaults to 0: any free port. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. */
  readonly host?: string;
}

/** A listening server. */
export interface Listening {
  /** Its URL, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops it: closes idle connections at once, and gives pending requests two seconds to finish. */
  readonly close: () => Promise<void>;
}

/** How long pending requests may take after the server is asked to stop. */
const graceMs = 2_000;

/** Starts an HTTP server. Rejects with a `ListenError`. */
export function listen(server: Server, { port = 0, host = "127.0.0.1" }: ListenOptions = {}): Promise<Listening> {
  // Node treats a connection that has sent nothing yet, such as a browser's preconnection, as busy.
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;
      resolve({ url, close: () => close(server, silent) });
    });
  });
}

function close(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve, reject) => {
    // Otherwise a client that sends requests back to back keeps its connection until the grace period ends.
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  });
}

/** A server cannot listen on its address. The message names the address, the reason and the remedy. */
export class ListenError extends UsageError {
  override readonly name = "ListenError";
}

/** Converts the error of a server that could not bind a TCP port to a `ListenError`. */
export function portError(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  return new ListenError(explain(error, host, port));
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is already in use. Stop the server that uses it, or choose another port (0 for any free port)`;
    case "EACCES":
      return `Port ${port} on ${host} needs elevated rights. Choose a port above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`;
  }
}
