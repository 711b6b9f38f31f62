import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { ListenError, portError } from "../base/listen.js";
import type { EitherHttp } from "../http/either-http.js";
import { claimNameBytes, claimSocket, privateName, releaseSocket } from "./claim-socket.js";
import type { ListenAddress, RunningServer } from "./running-server.js";

/** The kernel stores the path with a final zero byte in 108 bytes on Linux and 104 bytes elsewhere. */
const maxPathBytes = (process.platform === "linux" ? 107 : 103) - claimNameBytes;
const ownerOnly = 0o600;

/** Listens with a server of its own on each address. Rejects with a `ListenError` if one is unavailable. */
export async function listenOn(
  { socket, host = "127.0.0.1", port = socket === undefined ? 0 : undefined }: ListenAddress,
  createHttp: () => EitherHttp,
): Promise<RunningServer> {
  const addresses: string[] = [];
  const closes: (() => void | Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(closes.map((end) => end()));
  };
  try {
    if (port !== undefined) {
      const http = createHttp();
      addresses.push(await listenOnPort(http.server, port, host));
      closes.push(http.close);
    }
    if (socket !== undefined) {
      const http = createHttp();
      const { path, release } = await listenOnSocket(http.server, socket);
      addresses.push(`unix:${path}`);
      closes.push(release, http.close);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses, close };
}

async function listenOnPort(server: Server, port: number, host: string): Promise<string> {
  await started(server, () => server.listen(port, host)).catch((error) => {
    throw portError(error, host, port);
  });
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;
}

/**
 * Listens on a Unix socket that only its owner can use. Replaces a stale socket of a dead process; if several processes replace it at the
 * same time, one succeeds. Returns the full path, and the function that removes it.
 */
async function listenOnSocket(server: Server, path: string): Promise<{ path: string; release: () => void }> {
  const full = resolve(path);
  if (Buffer.byteLength(full) > maxPathBytes)
    throw new ListenError(`The socket path ${full} is longer than ${maxPathBytes} bytes`);
  if (!existsSync(dirname(full))) throw new ListenError(`The folder of the socket, ${dirname(full)}, does not exist`);
  const own = privateName(full);
  try {
    await started(server, () => listenPrivately(server, own));
    const { ino } = statSync(own);
    await claimSocket(own, full);
    return { path: full, release: () => releaseSocket(full, ino) };
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
