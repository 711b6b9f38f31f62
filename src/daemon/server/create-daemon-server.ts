import type { ConnectRouter, Interceptor } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { createEitherHttp } from "./either-http.js";
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

/** What a daemon serves, and where. */
export interface DaemonServerOptions extends DaemonServerAddress {
  /** Registers the services. */
  readonly routes: (router: ConnectRouter) => void;
  /** Wrap every call, the first outermost. */
  readonly interceptors?: readonly Interceptor[];
}

/** A daemon that listens. */
export interface DaemonServer {
  /** Such as `http://127.0.0.1:4020` and `unix:/run/daemon.sock`; a client takes each as its address. */
  readonly addresses: readonly string[];
  /** Stops it: takes no more calls, and gives those under way two seconds to finish. */
  readonly close: () => Promise<void>;
}

/** gRPC's own default. */
const readMaxBytes = 4 * 1024 * 1024;

/**
 * Serves RPCs on gRPC, gRPC-Web and Connect, all on each address, along with server reflection and the standard health service.
 * Web pages are refused unless they come from this machine.
 *
 * Rejects with a `ListenError` when an address cannot be had.
 */
export async function createDaemonServer(options: DaemonServerOptions): Promise<DaemonServer> {
  const {
    routes,
    socket,
    host = "127.0.0.1",
    port = socket === undefined ? 0 : undefined,
    interceptors = [],
  } = options;
  const closing = new AbortController();
  const handler = connectNodeAdapter({
    readMaxBytes,
    interceptors: [...interceptors],
    routes: (router) => {
      routes(router);
      addHealth(router, closing.signal);
      addReflection(router, closing.signal);
    },
  });
  const http = createEitherHttp(guardOrigin(handler));
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
