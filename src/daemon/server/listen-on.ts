import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { ListenError, portError } from "../../listen.js";

/** A place where connections are accepted. */
export interface Listener {
  /** Such as `http://127.0.0.1:4020` or `unix:/run/daemon.sock`. */
  readonly address: string;
  /** Accepts no more connections; resolves when the last one has ended. */
  readonly close: () => Promise<void>;
}

type Accept = (socket: Socket) => void;

/** The kernel keeps the path in a field of 108 bytes on Linux and 104 elsewhere, with a zero byte at the end. */
const longestPath = process.platform === "linux" ? 107 : 103;
const ownerOnly = 0o600;

/** Accepts connections on a TCP port; 0 takes a free one. Rejects with a `ListenError`. */
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
 * Accepts connections on a Unix socket that only its owner can use. A socket that a dead process left behind is replaced.
 * Rejects with a `ListenError`.
 */
export async function listenOnSocket(path: string, accept: Accept): Promise<Listener> {
  const full = resolve(path);
  if (Buffer.byteLength(full) > longestPath)
    throw new ListenError(`The socket path ${full} is longer than ${longestPath} bytes`);
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
  if (!found.isSocket()) throw new ListenError(`${path} exists and is no socket. Remove it, or choose another path`);
  const refusal = await new Promise<string | undefined>((done) => {
    const probe = connect(path, () => {
      probe.destroy();
      done(undefined);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => done(error.code));
  });
  if (refusal === "ECONNREFUSED") rmSync(path, { force: true });
  // ENOENT: whoever owned it has just removed it.
  else if (refusal !== "ENOENT") {
    throw new ListenError(`The socket ${path} is already in use. Stop what listens there, or choose another path`);
  }
}

/** The socket must not exist with wider rights for a moment either. Threads other than the first cannot set the mask. */
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
