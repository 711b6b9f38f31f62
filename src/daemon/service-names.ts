import { renamableService, services } from "../../generated/daemon/contract.js";
import { pathOfMethod, type RpcNames, renamedServices } from "../contract/rpc/names.js";

/** The names of a daemon that the requirements leave open. Omitted ones are those of the contract. */
export interface ServiceNames {
  /** The package of the services, such as `acme.proxy.v2`; an empty string if they have none. */
  readonly package?: string;
  /**
   * The name of the mesh control service, such as `Mesh`; with its package, such as `acme.mesh.Mesh`, if it is in
   * another package.
   */
  readonly meshService?: string;
}

/** The same names by those of the contract. */
export function rpcNamesOf({ package: prefix, meshService }: ServiceNames): RpcNames {
  return {
    ...(prefix === undefined ? {} : { package: prefix }),
    ...(meshService === undefined ? {} : { services: { [renamableService.name]: meshService } }),
  };
}

/** The services of a daemon whose names differ from those of the contract. Throws a `TypeError` if a name is malformed. */
export function renamedDaemonServices(names: ServiceNames): ReadonlyMap<string, string> {
  return renamedServices(
    Object.values(services).map(({ file }) => file),
    rpcNamesOf(names),
  );
}

/** The path of an RPC without its slash, such as `proxydaemon.v1.ProxySubscriptions/SelectNode`. Takes its short name. */
export function pathOfRpc(rpc: string, names: ServiceNames = {}): string {
  const [service, name] = rpc.split("/");
  const methods = Object.values(services).flatMap((one) => one.methods);
  const method = methods.find((one) => one.parent.name === service && one.name === name);
  if (method === undefined) throw new Error(`The contract has no RPC ${rpc}`);
  return pathOfMethod(method, rpcNamesOf(names));
}
