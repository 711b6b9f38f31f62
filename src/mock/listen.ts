import type { Server } from "node:http";

/** Where a server listens. */
export interface ListenOptions {
  /** Defaults to 0: any free port. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. */
  readonly host?: string;
}

/** A server that listens. */
export interface Listening {
  /** Where it is, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops it: ends idle connections at once and waits for requests under way. */
  readonly close: () => Promise<void>;
}

/** The address cannot be had; the message says which, why and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Makes an HTTP server listen. Rejects with a `ListenError`. */
export function listen(server: Server, { port = 0, host = "127.0.0.1" }: ListenOptions = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new ListenError(explain(error, host, port))));
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, close: () => close(server) });
    });
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is already in use. Stop what listens there, or choose another with --port (0 takes a free one)`;
    case "EACCES":
      return `Port ${port} on ${host} needs more rights. Choose one above 1023 with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`;
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}
