import { MeshControlService } from "../../../generated/daemon/daemon/v1/mesh_control_pb.js";
import { ProxySubscriptions } from "../../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import { createRpc, type ReportFault, type Rpc } from "./calls/rpc.js";
import type { DaemonHandlers } from "./daemon-handlers.js";

/** Binds the RPCs of the contract to their handlers. Throws a `TypeError` when one is left out, which only untyped code can do. */
export function createRpcs(handlers: DaemonHandlers, reportFault: ReportFault): readonly Rpc[] {
  for (const name of ["previewImport", "applyImport", "selectNode", "loginCancel"] as const) {
    if (typeof handlers[name] !== "function") throw new TypeError(`The daemon has no handler ${name}`);
  }
  const { previewImport, applyImport, selectNode } = ProxySubscriptions.method;
  const { loginCancel } = MeshControlService.method;
  // Called on `handlers`, which can be an object of a class.
  return [
    createRpc(previewImport, (request, context) => handlers.previewImport(request, context), reportFault),
    createRpc(applyImport, (request, context) => handlers.applyImport(request, context), reportFault),
    createRpc(selectNode, (request, context) => handlers.selectNode(request, context), reportFault),
    createRpc(loginCancel, (request, context) => handlers.loginCancel(request, context), reportFault),
  ];
}
