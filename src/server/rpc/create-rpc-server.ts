import { createEitherHttp } from "../../http/either-http.js";
import { listenOn } from "../listen-on.js";
import type { RunningServer } from "../running-server.js";
import { createConnectHandler } from "./create-connect-handler.js";
import { guardOrigin } from "./origin-guard.js";
import type { RpcServerOptions } from "./rpc-server-options.js";

/** Serves any unary RPCs. `createDaemonServer` describes the limits. Rejects with a `ListenError` if it cannot listen on an address. */
export async function createRpcServer(options: RpcServerOptions): Promise<RunningServer> {
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
