import { CouldNotRunError } from "../could-not-run-error.js";
import type { CallDaemon } from "./answer.js";

/**
 * Makes a call that changes nothing, a preview without a URL. Rejects with a `CouldNotRunError` when the daemon cannot be reached, so
 * that this is said once and not for each case. Whatever else comes is left to the cases.
 */
export async function reachDaemon(address: string, callDaemon: CallDaemon): Promise<void> {
  const answer = await callDaemon("ProxySubscriptions/PreviewImport", {});
  if (answer.kind === "unreachable") {
    throw new CouldNotRunError(`The daemon at ${address} cannot be reached: ${answer.text}. ${answer.help}`);
  }
}
