import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { RpcAddress } from "./rpc-address.js";

/** Connects to a server for HTTP/2. Rejects if there is no connection, or no agreement on TLS. */
export function openSocket(where: RpcAddress, signal: AbortSignal): Promise<Socket> {
  if (where.kind === "socket") return connected(connect(where.path), "connect", signal);
  const { hostname, port } = new URL(where.origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (!where.secure) return connected(connect(Number(port || 80), host), "connect", signal);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ host, port: Number(port || 443), ...servername, ALPNProtocols: ["h2"] });
  return connected(socket, "secureConnect", signal);
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
