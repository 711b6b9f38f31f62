import type { RpcProjectContract } from "../contract/project/project.js";
import type { RpcContract } from "../contract/rpc/contract.js";
import { importOptional } from "./import-optional.js";

/**
 * Loads an RPC contract of a project, and names the RPCs on standard error that are unsupported. Rejects with a `UsageError` that names the
 * mistakes of the contract, or the missing packages.
 */
export async function rpcContract({ name, proto }: RpcProjectContract): Promise<RpcContract> {
  // The daemon's contract ships compiled, so that it needs no Buf.
  if (name === "daemon") return (await import("../daemon/daemon-contract.js")).loadDaemonContract();
  const { loadRpcContract } = await importOptional(
    "Reading a contract",
    () => import("../contract/rpc/load-rpc-contract.js"),
  );
  const contract = await loadRpcContract({ name, proto });
  for (const { rpc, reason } of contract.unsupported) process.stderr.write(`accord: ${rpc}: ${reason}\n`);
  return contract;
}
