import { createRouterTransport } from "@connectrpc/connect";
import { addRpcs } from "../server/rpc/add-rpcs.js";
import { type CallObserver, createCallReports } from "../server/rpc/call-reports.js";
import type { DaemonHandlers } from "./server/daemon-handlers.js";
import { daemonRoutes } from "./server/daemon-routes.js";
import { createServiceClients, type DaemonClient } from "./service-clients.js";

/**
 * Creates a client for tests that calls handlers in the same process, without a network. It encodes and decodes messages, and
 * reports errors like a server. Closing it has no effect.
 */
export function createInMemoryDaemonClient(
  handlers: DaemonHandlers,
  observer: Pick<CallObserver, "onFault"> = {},
): DaemonClient {
  const reports = createCallReports(observer);
  const transport = createRouterTransport((router) => addRpcs(router, daemonRoutes(handlers), reports));
  return { ...createServiceClients(transport), close: () => {} };
}
