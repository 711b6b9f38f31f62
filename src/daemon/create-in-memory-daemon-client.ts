import { createClient, createRouterTransport } from "@connectrpc/connect";
import { MeshControlService } from "../../generated/daemon/daemon/v1/mesh_control_pb.js";
import { ProxySubscriptions } from "../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import type { DaemonClient } from "./create-daemon-client.js";
import { type CallObserver, createCallReports } from "./server/calls/daemon-call.js";
import { createRpcs } from "./server/create-rpcs.js";
import type { DaemonHandlers } from "./server/daemon-handlers.js";

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
  return {
    proxySubscriptions: createClient(ProxySubscriptions, transport),
    meshControl: createClient(MeshControlService, transport),
    close: () => {},
  };
}
