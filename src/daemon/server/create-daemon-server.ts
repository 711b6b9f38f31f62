import { contractFiles } from "../contract-files.js";
import type { CallObserver } from "./calls/daemon-call.js";
import { createRpcServer } from "./create-rpc-server.js";
import type { DaemonHandlers } from "./daemon-handlers.js";
import { daemonRoutes } from "./daemon-routes.js";
import type { DaemonServer, DaemonServerAddress } from "./daemon-server.js";

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
export async function createDaemonServer({ handlers, ...options }: DaemonServerOptions): Promise<DaemonServer> {
  return createRpcServer({ ...options, routes: daemonRoutes(handlers), files: contractFiles() });
}
