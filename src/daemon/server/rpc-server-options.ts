import type { DescFile, DescMethodUnary } from "@bufbuild/protobuf";
import type { CallObserver } from "./calls/daemon-call.js";
import type { CallHandler } from "./daemon-handlers.js";
import type { DaemonServerAddress } from "./daemon-server.js";

/** An RPC of a server, and what handles its calls. */
export interface RpcRoute {
  /** The name of the RPC in reports, such as `ProxySubscriptions/SelectNode`. */
  readonly rpc: string;
  readonly method: DescMethodUnary;
  readonly handler: CallHandler<DescMethodUnary>;
}

/** The RPCs, addresses and observer of a server. */
export interface RpcServerOptions extends DaemonServerAddress, CallObserver {
  readonly routes: readonly RpcRoute[];
  /** Files that server reflection describes besides those of the RPCs. */
  readonly files: readonly DescFile[];
}
