import { services } from "../../generated/daemon/contract.js";
import type { RpcNames } from "../contract/rpc/names.js";
import { createInMemoryRpcClient, createRpcClient, type RpcClient } from "../runtime/rpc/client.js";
import type { CallObserver } from "../server/rpc/call-reports.js";
import type { RpcProtocol, RpcTransportOptions } from "../wire/rpc-transport.js";
import { byService, type DaemonHandlers } from "./daemon-handlers.js";
import { renamedDaemonServices } from "./service-names.js";

/** The protocol of calls. All three carry the same messages and errors. */
export type DaemonProtocol = RpcProtocol;

/** The daemon to call, and how to call it. */
export interface DaemonClientOptions extends Omit<RpcTransportOptions, "renamed"> {
  /** The names of the services, if they differ from those of the contract. */
  readonly names?: RpcNames;
}

/** A typed client for each service of a daemon, as `RpcClient` describes them. */
export type DaemonClient = RpcClient<typeof services>;

/**
 * Creates a client of a daemon. It connects on the first call and reuses its connections. Throws a `TypeError` if the address or a name
 * is malformed.
 */
export function createDaemonClient({ names = {}, ...options }: DaemonClientOptions): DaemonClient {
  return createRpcClient(services, { ...options, renamed: renamedDaemonServices(names) });
}

/** Creates a client for tests that calls handlers in the same process, like `createInMemoryRpcClient`. */
export function createInMemoryDaemonClient(
  handlers: DaemonHandlers,
  observer: Pick<CallObserver, "onFault"> = {},
): DaemonClient {
  return createInMemoryRpcClient(services, byService(handlers), observer);
}
