import type { VerifyReport } from "../report/model/verify-report.js";
import { verifyRpc } from "../verify/rpc/verify-rpc.js";
import type { RunOptions } from "../verify/run-options.js";
import type { DaemonProtocol } from "./create-daemon-client.js";
import { loadDaemonContract } from "./daemon-contract.js";
import { rpcNamesOf, type ServiceNames } from "./service-names.js";

/** The daemon to verify, and the options of the run. */
export interface VerifyDaemonOptions extends RunOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`. */
  readonly protocol?: DaemonProtocol;
  /** The log file of the daemon, which is searched for the secrets of the run. */
  readonly logFile?: string;
  /** The names of its services, if they differ from those of the contract. The messages are the same. */
  readonly names?: ServiceNames;
}

/**
 * Runs the cases of the daemon contract against a daemon, and reports which rules it keeps. The daemon must be able to fetch from the
 * loopback interface, where the subscriptions of the cases are served.
 *
 * Rejects with a `CouldNotRunError` if the address or a name is malformed, the daemon is unreachable, an option is out of bounds, the log
 * is unreadable, the selection matches nothing, or the signal was aborted before the first check was complete.
 */
export async function verifyDaemon({ names = {}, ...options }: VerifyDaemonOptions): Promise<VerifyReport> {
  return verifyRpc(await loadDaemonContract(), { ...options, names: rpcNamesOf(names) });
}
