import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ClientCertificate } from "./client-certificate.js";
import { hostOf, openTunnel, portOf, proxyOf } from "./env-proxy.js";
import type { RpcAddress } from "./rpc-address.js";

/** How a socket is opened. */
export interface SocketOptions {
  /** Closes it while it connects. */
  readonly signal: AbortSignal;
  /** Shown if the server asks for one. */
  readonly certificate?: ClientCertificate;
  /** Whether it takes the proxy of the environment. Defaults to false. */
  readonly usesProxy?: boolean;
}

/** Connects to a server for HTTP/2. Rejects if there is no connection, or no agreement on TLS. */
export async function openSocket(
  where: RpcAddress,
  { signal, certificate, usesProxy = false }: SocketOptions,
): Promise<Socket> {
  if (where.kind === "socket") return connected(connect(where.path), "connect", signal);
  const target = new URL(where.origin);
  const proxy = usesProxy ? proxyOf(target) : undefined;
  const server = { host: hostOf(target), port: portOf(target) };
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, target, signal);
  if (!where.secure) return tunnel ?? connected(connect(server), "connect", signal);
  const servername = isIP(server.host) === 0 ? { servername: server.host } : {};
  const through = tunnel === undefined ? server : { socket: tunnel };
  return connected(
    connectTls({ ...through, ...servername, ...certificate, ALPNProtocols: ["h2"] }),
    "secureConnect",
    signal,
  );
}

function connected(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy();
    signal.addEventListener("abort", stop, { once: true });
    socket.once("error", reject);
    socket.once("close", () => {
      signal.removeEventListener("abort", stop);
      reject(Object.assign(new Error("the server closed the connection"), { code: "ECONNRESET" }));
    });
    socket.once(event, () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
