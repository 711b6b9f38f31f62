import type { CallObserver, FinishedCall } from "../../server/rpc/call-reports.js";
import { createRpcServer } from "../../server/rpc/create-rpc-server.js";
import type {
  RunningServer as DaemonServer,
  ListenAddress as DaemonServerAddress,
} from "../../server/running-server.js";
import { contractFiles } from "../contract-files.js";
import type { DaemonRpc } from "../daemon-methods.js";
import type { DaemonHandlers } from "./daemon-handlers.js";
import { daemonRoutes } from "./daemon-routes.js";

type ListenOptions = DaemonServerAddress & CallObserver;

/** A finished call, without the content of its messages. */
export type DaemonCall = FinishedCall<DaemonRpc>;

/** Callbacks that observe the calls of a daemon. */
export type DaemonCallObserver = CallObserver<DaemonRpc>;

/** The handlers, addresses and observer of a daemon. */
export interface DaemonServerOptions extends DaemonServerAddress, DaemonCallObserver {
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
  // All its calls are those of the daemon's routes.
  return createRpcServer({ ...(options as ListenOptions), routes: daemonRoutes(handlers), files: contractFiles() });
}
