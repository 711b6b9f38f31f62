import type { RpcNames } from "../contract/rpc/names.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import type { RunningProxy } from "../traffic/proxy/start-proxy.js";
import { type CheckRpcHarOptions, checkRpcHar } from "../traffic/rpc/check-rpc-har.js";
import { type ProxyRpcOptions, proxyRpc } from "../traffic/rpc/proxy-rpc.js";
import { loadDaemonContract } from "./daemon-contract.js";

/**
 * The daemon behind the proxy, where the proxy listens, and how to judge the traffic. Recordings hold calls in the form of the Connect
 * protocol with JSON, whatever protocol they were made with.
 */
export interface ProxyDaemonOptions extends Omit<ProxyRpcOptions, "names"> {
  /** The names of the daemon's services, if they differ from those of the contract. */
  readonly names?: RpcNames;
}

/** A running proxy. */
export type DaemonProxy = RunningProxy;

/** The recording to check, and how. */
export interface CheckDaemonHarOptions extends Omit<CheckRpcHarOptions, "names"> {
  /** The names of the daemon's services, if they differ from those of the contract. */
  readonly names?: RpcNames;
}

/** Starts a proxy in front of a daemon. Rejects like `proxyRpc`. */
export async function proxyDaemon({ names = {}, ...options }: ProxyDaemonOptions): Promise<DaemonProxy> {
  return proxyRpc(await loadDaemonContract(), { ...options, names });
}

/** Judges the traffic of a daemon's client that a tool recorded as HAR 1.2. Rejects like `checkRpcHar`. */
export async function checkDaemonHar({ names = {}, ...options }: CheckDaemonHarOptions): Promise<VerifyReport> {
  return checkRpcHar(await loadDaemonContract(), { ...options, names });
}
