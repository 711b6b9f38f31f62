import { services } from "../../generated/daemon/contract.js";
import { pathOfMethod, type RpcNames, renamedServices } from "../contract/rpc/names.js";

/** The services of a daemon whose names differ from those of the contract. Throws a `TypeError` if a name is malformed. */
export function renamedDaemonServices(names: RpcNames): ReadonlyMap<string, string> {
  return renamedServices(
    Object.values(services).map(({ file }) => file),
    names,
  );
}

/** The path of an RPC without its slash, such as `proxydaemon.v1.ProxySubscriptions/SelectNode`. Takes its short name. */
export function pathOfRpc(rpc: string, names: RpcNames = {}): string {
  const [service, name] = rpc.split("/");
  const methods = Object.values(services).flatMap((one) => one.methods);
  const method = methods.find((one) => one.parent.name === service && one.name === name);
  if (method === undefined) throw new Error(`The contract has no RPC ${rpc}`);
  return pathOfMethod(method, names);
}
