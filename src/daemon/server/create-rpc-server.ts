import type { DescFile, DescMethodUnary } from "@bufbuild/protobuf";
import type { CallObserver } from "./calls/daemon-call.js";
import { createConnectHandler } from "./create-connect-handler.js";
import type { CallHandler } from "./daemon-handlers.js";
import type { DaemonServer, DaemonServerAddress } from "./daemon-server.js";
import { createEitherHttp } from "./either-http.js";
import { listenOn } from "./listen-on.js";
import { guardOrigin } from "./origin-guard.js";

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

/** Serves any unary RPCs. `createDaemonServer` describes the limits. Rejects with a `ListenError` if it cannot listen on an address. */
export async function createRpcServer(options: RpcServerOptions): Promise<DaemonServer> {
  const closing = new AbortController();
  const handler = createConnectHandler(options, options, closing.signal);
  const { addresses, close } = await listenOn(options, () => createEitherHttp(guardOrigin(handler)));
  return {
    addresses,
    close: () => {
      const closed = close();
      closing.abort();
      return closed;
    },
  };
}
