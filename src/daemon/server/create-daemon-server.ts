import type { CallObserver } from "./calls/daemon-call.js";
import { createConnectHandler } from "./create-connect-handler.js";
import type { DaemonHandlers } from "./daemon-handlers.js";
import type { DaemonServer, DaemonServerAddress } from "./daemon-server.js";
import { createEitherHttp } from "./either-http.js";
import { listenOn } from "./listen-on.js";
import { guardOrigin } from "./origin-guard.js";

/** The handlers, addresses and observer of a daemon. */
export interface DaemonServerOptions extends DaemonServerAddress, CallObserver {
  /** Handle the calls of all protocols. */
  readonly handlers: DaemonHandlers;
}

/**
 * Serves the daemon's RPCs over gRPC, gRPC-Web and Connect on every address, along with server reflection and the standard health
 * service. A request may be at most 4 MiB and take at most one minute; at most 1,000 connections may be open at an address, and idle
 * ones are closed after five minutes. Refuses web pages unless they come from this machine.
 *
 * Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createDaemonServer(options: DaemonServerOptions): Promise<DaemonServer> {
  const closing = new AbortController();
  const handler = createConnectHandler(options.handlers, options, closing.signal);
  const { addresses, close } = await listenOn(options, () => createEitherHttp(guardOrigin(handler)));
  return {
    addresses,
    close: () => {
      const closed = close();
      closing.abort();
      return closed;
    },
  };
}
