import { loadDaemonCases } from "../../contract/daemon/cases.js";
import { daemonMethods } from "../../contract/daemon/rpcs.js";
import {
  createDaemonServer,
  type DaemonServer,
  type DaemonServerAddress,
} from "../../daemon/server/create-daemon-server.js";
import { createAnswerCall } from "./answer-call.js";

/** Where the mock listens. */
export type DaemonMockOptions = DaemonServerAddress;

/**
 * Serves the daemon's RPCs without state, from the cases of the contract, on gRPC, gRPC-Web and Connect.
 *
 * A request that equals the request of a case gets the reply or error of that case; any other gets the reply of the first
 * successful case. Request metadata `prefer: case=select-unknown-node` selects any case of the RPC. The mock never fetches a URL.
 *
 * Listens on a free TCP port of 127.0.0.1 by default. Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createDaemonMock(options: DaemonMockOptions = {}): Promise<DaemonServer> {
  const { cases } = await loadDaemonCases();
  const handlers = daemonMethods.map(({ localName, method }) => [localName, createAnswerCall(method, cases)]);
  return createDaemonServer({ ...options, handlers: Object.fromEntries(handlers) });
}
