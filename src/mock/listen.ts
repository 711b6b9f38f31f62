import type { Server } from "node:http";
import { portError } from "../listen-error.js";

export { ListenError } from "../listen-error.js";

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

/** Makes an HTTP server listen. Rejects with a `ListenError`. */
export function listen(server: Server, { port = 0, host = "127.0.0.1" }: ListenOptions = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}
