import { createRouterTransport } from "@connectrpc/connect";
import { type CallObserver, createCallReports } from "./server/calls/daemon-call.js";
import { createRpcs } from "./server/create-rpcs.js";
import type { DaemonHandlers } from "./server/daemon-handlers.js";
import { createServiceClients, type DaemonClient } from "./service-clients.js";

/**
 * Creates a client for tests that calls handlers in the same process, without a network. It encodes and decodes messages, and
 * reports errors like a server. Closing it has no effect.
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
