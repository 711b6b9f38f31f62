import { type CallObserver, createCallReports } from "./calls/daemon-call.js";
import { createConnectHandler } from "./connect/create-connect-handler.js";
import { createRpcs } from "./create-rpcs.js";
import type { DaemonHandlers } from "./daemon-handlers.js";
import { createEitherHttp } from "./either-http.js";
import { createGrpcService } from "./grpc/serve-grpc.js";
import { addHealth } from "./health.js";
import { type Listener, listenOnPort, listenOnSocket } from "./listen-on.js";
import { guardOrigin } from "./origin-guard.js";
import { addReflection } from "./reflection.js";

/** The addresses that a daemon listens on. */
export interface DaemonServerAddress {
  /** TCP port; 0 for any free port, which is the default without `socket`. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. An address beyond loopback opens the daemon, which has no authentication, to the network. */
  readonly host?: string;
  /** Path of a Unix socket, which only its owner can use. */
  readonly socket?: string;
}

/** The handlers, addresses and observer of a daemon. */
export interface DaemonServerOptions extends DaemonServerAddress, CallObserver {
  /** Handle the calls of all protocols. */
  readonly handlers: DaemonHandlers;
}

/** A listening daemon. */
export interface DaemonServer {
  /** Addresses for clients, such as `http://127.0.0.1:4020` and `unix:/run/daemon.sock`. */
  readonly addresses: readonly string[];
  /** Stops it: refuses new calls, and gives pending ones two seconds to finish. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the daemon's RPCs over gRPC, gRPC-Web and Connect on every address, along with server reflection and the standard health
 * service. A request may be at most 4 MiB and take at most one minute; at most 1,000 connections may be open, and idle ones are
 * closed after five minutes. Refuses web pages unless they come from this machine.
 *
 * Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createDaemonServer(options: DaemonServerOptions): Promise<DaemonServer> {
  const { handlers, socket, host = "127.0.0.1", port = socket === undefined ? 0 : undefined } = options;
  const closing = new AbortController();
  const reports = createCallReports(options);
  const rpcs = createRpcs(handlers, reports.fault);
  const handler = createConnectHandler(
    rpcs,
    (router) => {
      addHealth(router, closing.signal);
      addReflection(router, closing.signal);
    },
    reports,
  );
  const http = createEitherHttp(guardOrigin(handler), createGrpcService(rpcs, reports));
  const listeners: Listener[] = [];
  let closed: Promise<void> | undefined;
  const end = async () => {
    const ended = Promise.all(listeners.map((listener) => listener.close()));
    closing.abort();
    http.close();
    await ended;
  };
  const close = () => {
    closed ??= end();
    return closed;
  };
  try {
    if (port !== undefined) listeners.push(await listenOnPort(port, host, http.accept));
    if (socket !== undefined) listeners.push(await listenOnSocket(socket, http.accept));
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses: listeners.map(({ address }) => address), close };
}
