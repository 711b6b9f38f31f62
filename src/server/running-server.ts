/** The addresses that a server listens on. */
export interface ListenAddress {
  /** TCP port; 0 for any free port, which is the default without `socket`. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. An address beyond loopback opens a server without authentication to the network. */
  readonly host?: string;
  /** Path of a Unix socket, which only its owner can use. */
  readonly socket?: string;
}

/** A listening server. */
export interface RunningServer {
  /** Addresses for clients, such as `http://127.0.0.1:4020` and `unix:/run/daemon.sock`. */
  readonly addresses: readonly string[];
  /** Stops it: refuses new calls, and gives pending ones two seconds to finish. */
  readonly close: () => Promise<void>;
}
