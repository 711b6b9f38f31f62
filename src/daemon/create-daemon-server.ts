import { services } from "../../generated/daemon/contract.js";
import { createRpcServer } from "../runtime/rpc/server.js";
import type { CallObserver, FinishedCall } from "../server/rpc/call-reports.js";
import type { RunningServer as DaemonServer, ListenAddress as DaemonServerAddress } from "../server/running-server.js";
import { contractFiles } from "./contract-files.js";
import { byService, type DaemonHandlers } from "./daemon-handlers.js";
import type { DaemonRpc } from "./daemon-methods.js";

/** A finished call, without the content of its messages. */
export type DaemonCall = FinishedCall<DaemonRpc>;

/** Callbacks that observe the calls of a daemon. */
export type DaemonCallObserver = CallObserver<DaemonRpc>;

/** The handlers, addresses and observer of a daemon. */
export interface DaemonServerOptions extends DaemonServerAddress, DaemonCallObserver {
  /** Handle the calls of all protocols. */
  readonly handlers: DaemonHandlers;
}

/** Serves the daemon's RPCs like `createRpcServer`. */
export async function createDaemonServer({ handlers, ...options }: DaemonServerOptions): Promise<DaemonServer> {
  return createRpcServer(services, { ...options, handlers: byService(handlers), files: contractFiles() });
}
