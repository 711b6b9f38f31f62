import type { DescFile, DescMethodUnary } from "@bufbuild/protobuf";
import type { ListenAddress } from "../running-server.js";
import type { CallHandler } from "./call-handler.js";
import type { CallObserver } from "./call-reports.js";

/** An RPC of a server, and what handles its calls. */
export interface RpcRoute {
  /** The name of the RPC in reports, such as `ProxySubscriptions/SelectNode`. */
  readonly rpc: string;
  readonly method: DescMethodUnary;
  readonly handler: CallHandler<DescMethodUnary>;
}

/** The RPCs, addresses and observer of a server. */
export interface RpcServerOptions extends ListenAddress, CallObserver {
  readonly routes: readonly RpcRoute[];
  /** Files that server reflection describes besides those of the RPCs. */
  readonly files: readonly DescFile[];
}
