import { createRpcMock } from "../mock/rpc/create-rpc-mock.js";
import type { RunningServer as DaemonServer, ListenAddress as DaemonServerAddress } from "../server/running-server.js";
import { loadDaemonContract } from "./daemon-contract.js";

/** Where the mock listens. */
export type DaemonMockOptions = DaemonServerAddress;

/**
 * Serves the daemon's RPCs without state, from the cases of the contract, on gRPC, gRPC-Web and Connect.
 *
 * A request that equals the request of a case gets the reply or error of that case; any other gets the reply of the first successful
 * case, with its own values in the fields that repeat the request. Request metadata `prefer: case=select-unknown-node` selects any case
 * of the RPC. The mock never fetches a URL.
 *
 * Listens on a free TCP port of 127.0.0.1 by default. Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createDaemonMock(options: DaemonMockOptions = {}): Promise<DaemonServer> {
  return createRpcMock(await loadDaemonContract(), options);
}
