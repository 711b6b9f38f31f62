import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { parseUrl } from "../../base/parse-url.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { RpcNames } from "../../contract/rpc/names.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import { type CheckOptions, checkRecording } from "../har/check-recording.js";
import { trafficJudgesOf } from "./define-traffic-judge.js";
import { createCallRouter } from "./read-call.js";
import { createRpcTraffic } from "./rpc-traffic.js";

/** The recording to check, and how. */
export interface CheckRpcHarOptions extends CheckOptions {
  /** The names of the server's services, if they differ from those of the contract. */
  readonly names?: RpcNames;
}

/**
 * Judges the traffic of a client that a browser, a proxy or another tool recorded as HAR 1.2. Rejects with a `CouldNotRunError`
 * that says what to do, if the file is unreadable or leaves the server open.
 */
export async function checkRpcHar(contract: RpcContract, options: CheckRpcHarOptions): Promise<VerifyReport> {
  const route = createCallRouter(contract, options.names);
  return checkRecording(
    options,
    {
      urlOf: ({ origin, exchange: { request } }) =>
        route(request.method, request.target).kind === "rpc" ? origin : undefined,
      parse: originOf,
      missing: `has no call to an RPC of the contract. Record the calls of a ${contract.name} client; if the package of the services differs, give --package`,
    },
    async (url) =>
      createRpcTraffic(contract, originOf(url), {
        ...(options.names && { names: options.names }),
        judges: await trafficJudgesOf(contract),
      }),
  );
}

function originOf(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined)
    throw new CouldNotRunError(`${url.slice(0, 200)} is not the URL of a server, such as http://127.0.0.1:4020`);
  return parsed.origin;
}
