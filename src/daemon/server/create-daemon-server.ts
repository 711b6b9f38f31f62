import { type CallObserver, createCallReports } from "./calls/daemon-call.js";
import { createConnectHandler } from "./connect/create-connect-handler.js";
import { createRpcs } from "./create-rpcs.js";
import type { DaemonHandlers } from "./daemon-handlers.js";
import { createEitherHttp } from "./either-http.js";
import { createGrpcServing } from "./grpc/serve-grpc.js";
import { addHealth } from "./health.js";
import { type Listener, listenOnPort, listenOnSocket } from "./listen-on.js";
import { guardOrigin } from "./origin-guard.js";
import { addReflection } from "./reflection.js";

/** Where a daemon listens. */
export interface DaemonServerAddress {
  /** TCP port; 0 takes a free one. Defaults to 0 when there is no `socket` either. */
  readonly port?: number;
  /** Defaults to `127.0.0.1`. There is no authentication: any other address opens the daemon to the network. */
  readonly host?: string;
  /** Path of a Unix socket that only its owner can use. */
  readonly socket?: string;
}

/** What a daemon serves, where, and who wants to know of it. */
export interface DaemonServerOptions extends DaemonServerAddress, CallObserver {
  /** Answer the calls, whatever the protocol. */
  readonly handlers: DaemonHandlers;
}

/** A daemon that listens. */
export interface DaemonServer {
  /** Such as `http://127.0.0.1:4020` and `unix:/run/daemon.sock`; a client takes each as its address. */
  readonly addresses: readonly string[];
  /** Stops it: takes no more calls, and gives those under way two seconds to finish. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the daemon's RPCs on gRPC, gRPC-Web and Connect, all on each address, along with server reflection and the standard health
 * service. Requests have 4 MiB and a minute at most; 1,000 connections may be open, and idle ones end after five minutes. Web pages are refused unless they come from this machine.
 *
 * Rejects with a `ListenError` when an address cannot be had.
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
  const http = createEitherHttp(guardOrigin(handler), createGrpcServing(rpcs, reports));
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
