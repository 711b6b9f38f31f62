import { createRouterTransport } from "@connectrpc/connect";
import { type CallObserver, createCallReports } from "./server/calls/daemon-call.js";
import { createRpcs } from "./server/create-rpcs.js";
import type { DaemonHandlers } from "./server/daemon-handlers.js";
import { createServiceClients, type DaemonClient } from "./service-clients.js";

/**
 * Makes a client that calls handlers in the same process, without a network, for tests. Messages are encoded and decoded, and errors
 * reach the caller as they do from a server. There is nothing to close.
 */
export function createInMemoryDaemonClient(
  handlers: DaemonHandlers,
  observer: Pick<CallObserver, "onFault"> = {},
): DaemonClient {
  const rpcs = createRpcs(handlers, createCallReports(observer).fault);
  const transport = createRouterTransport((router) => {
    for (const rpc of rpcs) rpc.addTo(router);
  });
  return { ...createServiceClients(transport), close: () => {} };
}
