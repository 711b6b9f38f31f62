import type { RpcProjectContract } from "../contract/project/project.js";
import { shippedContracts } from "../contract/project/read-project.js";
import type { RpcContract } from "../contract/rpc/contract.js";
import { loadRpcContract } from "../contract/rpc/load-rpc-contract.js";
import { loadDaemonContract } from "../daemon/daemon-contract.js";

/** Loads a contract in Protobuf. That which this package ships is compiled already, so it needs no Buf. Rejects like `loadRpcContract`. */
export async function rpcContract(contract: RpcProjectContract): Promise<RpcContract> {
  const isShipped = shippedContracts().some((one) => one.kind === "rpc" && one.proto === contract.proto);
  return isShipped ? loadDaemonContract() : loadRpcContract(contract);
}
