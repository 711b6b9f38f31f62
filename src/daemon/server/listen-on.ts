import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { ListenError, portError } from "../../listen.js";
import { claimNameBytes, claimSocket, privateName, releaseSocket } from "./claim-socket.js";

/** An address that accepts connections. */
export interface Listener {
  /** The address, such as `http://127.0.0.1:4020` or `unix:/run/daemon.sock`. */
  readonly address: string;
  /** Stops accepting connections. Resolves when the last connection has closed. */
  readonly close: () => Promise<void>;
}

type Accept = (socket: Socket) => void;

/** The kernel stores the path with a final zero byte in 108 bytes on Linux and 104 bytes elsewhere. */
const maxPathBytes = (process.platform === "linux" ? 107 : 103) - claimNameBytes;
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
 * Accepts connections on a Unix socket that only its owner can use. Replaces a stale socket of a dead process; if several processes
 * replace it at the same time, one succeeds. Rejects with a `ListenError`.
 */
export async function listenOnSocket(path: string, accept: Accept): Promise<Listener> {
  const full = resolve(path);
  if (Buffer.byteLength(full) > maxPathBytes)
    throw new ListenError(`The socket path ${full} is longer than ${maxPathBytes} bytes`);
  if (!existsSync(dirname(full))) throw new ListenError(`The folder of the socket, ${dirname(full)}, does not exist`);
  const server = createServer(accept);
  const own = privateName(full);
  try {
    await started(server, () => listenPrivately(server, own));
    const { ino } = statSync(own);
    await claimSocket(own, full);
    const close = () => {
      releaseSocket(full, ino);
      return closed(server);
    };
    return { address: `unix:${full}`, close };
  } catch (error) {
    server.close();
    if (error instanceof ListenError) throw error;
    throw new ListenError(`Cannot listen on the socket ${full}: ${(error as Error).message}`);
  } finally {
    rmSync(own, { force: true });
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
