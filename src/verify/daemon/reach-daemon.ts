import type { DaemonProbes } from "../../contract/daemon/cases.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import type { CallDaemon } from "./answer.js";

/**
 * Calls an RPC with an empty request. Rejects with a `CouldNotRunError` if the daemon cannot be reached, so that one error reports it
 * instead of one per case. Ignores every other answer; the cases judge it.
 */
export async function reachDaemon(address: string, callDaemon: CallDaemon, rpc: DaemonProbes["reach"]): Promise<void> {
  const answer = await callDaemon(rpc, {});
  if (answer.kind === "unreachable") {
    throw new CouldNotRunError(`The daemon at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
}
