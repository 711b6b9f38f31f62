import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { ListenError, portError } from "../../listen.js";

/** An address that accepts connections. */
export interface Listener {
  /** The address, such as `http://127.0.0.1:4020` or `unix:/run/daemon.sock`. */
  readonly address: string;
  /** Stops accepting connections. Resolves when the last connection has closed. */
  readonly close: () => Promise<void>;
}

type Accept = (socket: Socket) => void;

/** The kernel stores the path with a final zero byte in 108 bytes on Linux and 104 bytes elsewhere. */
const maxPathBytes = process.platform === "linux" ? 107 : 103;
const ownerOnly = 0o600;

/** Accepts connections on a TCP port; 0 means any free port. Rejects with a `ListenError`. */
export async function listenOnPort(port: number, host: string, accept: Accept): Promise<Listener> {
  const server = createServer(accept);
  await started(server, () => server.listen(port, host)).catch((error) => {
    throw portError(error, host, port);
  });
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  return { address: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, close: () => closed(server) };
}

/**
 * Accepts connections on a Unix socket that only its owner can use. Replaces a stale socket of a dead process. Rejects with a
 * `ListenError`.
 */
export async function listenOnSocket(path: string, accept: Accept): Promise<Listener> {
  const full = resolve(path);
  if (Buffer.byteLength(full) > maxPathBytes)
    throw new ListenError(`The socket path ${full} is longer than ${maxPathBytes} bytes`);
  if (!existsSync(dirname(full))) throw new ListenError(`The folder of the socket, ${dirname(full)}, does not exist`);
  await removeStaleSocket(full);
  const server = createServer(accept);
  await started(server, () => listenPrivately(server, full)).catch((error: NodeJS.ErrnoException) => {
    throw new ListenError(`Cannot listen on the socket ${full}: ${error.message}`);
  });
  return { address: `unix:${full}`, close: () => closed(server) };
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new ListenError(`${path} exists and is not a socket. Remove it, or choose another path`);
  const refusal = await new Promise<string | undefined>((done) => {
    const probe = connect(path, () => {
      probe.destroy();
      done(undefined);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => done(error.code));
  });
  if (refusal === "ECONNREFUSED") rmSync(path, { force: true });
  // ENOENT: its owner has just removed it.
  else if (refusal !== "ENOENT") {
    throw new ListenError(
      `The socket ${path} is already in use. Stop the process that uses it, or choose another path`,
    );
  }
}

/** Creates the socket with the right permissions from the start. Worker threads cannot set the umask. */
function listenPrivately(server: Server, path: string): void {
  const before = isMainThread ? process.umask(0o777 & ~ownerOnly) : undefined;
  try {
    server.listen(path);
  } finally {
    if (before !== undefined) process.umask(before);
  }
  server.once("listening", () => chmodSync(path, ownerOnly));
}

function started(server: Server, listen: () => void): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    listen();
    server.once("listening", done);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((done, failed) => {
    server.close((error) => (error ? failed(error) : done()));
  });
}
