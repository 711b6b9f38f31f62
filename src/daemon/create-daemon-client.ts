import { createRpcTransport, type RpcProtocol, type RpcTransportOptions } from "../wire/rpc-transport.js";
import { createServiceClients, type DaemonClient } from "./service-clients.js";
import { renamedDaemonServices, type ServiceNames } from "./service-names.js";

/** The protocol of calls. All three carry the same messages and errors. */
export type DaemonProtocol = RpcProtocol;

/** The daemon to call, and how to call it. */
export interface DaemonClientOptions extends Omit<RpcTransportOptions, "renamed"> {
  /** The names of the services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
}

/**
 * Creates a client of a daemon. It connects on the first call and reuses its connections. Throws a `TypeError` if the address or a name
 * is malformed.
 */
export function createDaemonClient({ names = {}, ...options }: DaemonClientOptions): DaemonClient {
  const { transport, close } = createRpcTransport({ ...options, renamed: renamedDaemonServices(names) });
  return { ...createServiceClients(transport), close };
}
