import { connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { openSocket, type SocketOptions } from "../../wire/open-socket.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { maxLookMs, type ServerState } from "../run/server-watch.js";

/** Finds out whether a server responds, without calling an RPC: by a ping of HTTP/2, or a request over HTTP/1.1. */
export async function lookAtServer(
  address: string,
  protocol: RpcProtocol,
  { timeoutMs, signal, certificate }: Pick<SocketOptions, "signal" | "certificate"> & { readonly timeoutMs: number },
): Promise<ServerState> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), Math.min(timeoutMs, maxLookMs));
  try {
    const socket = await openSocket(parseRpcAddress(address), {
      ...{ signal: AbortSignal.any([signal, limit.signal]), certificate, usesProxy: true },
    });
    const stop = () => socket.destroy();
    limit.signal.addEventListener("abort", stop, { once: true });
    const isUp = await (protocol === "grpc" ? ping(socket) : askOverHttp1(socket)).finally(stop);
    return isUp ? "up" : limit.signal.aborted ? "hanging" : "away";
  } catch {
    signal.throwIfAborted();
    return limit.signal.aborted ? "hanging" : "away";
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to whether the peer answers a ping before the connection closes. */
function ping(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2("http://localhost", { createConnection: () => socket });
    session.on("error", () => {});
    session.once("close", () => resolve(false));
    session.once("connect", () => session.ping((error) => resolve(error === null)));
  });
}

/** Resolves to whether the peer answers a request to a path that no server has before the connection closes. */
function askOverHttp1(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.once("close", () => resolve(false));
    socket.once("data", () => resolve(true));
    socket.write("GET /accord-no-such-operation HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  });
}
