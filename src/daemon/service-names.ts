import type { DescService } from "@bufbuild/protobuf";
import type { UniversalClientFn } from "@connectrpc/connect/protocol";
import { renamableService, services } from "../../generated/daemon/contract.js";
import { packageProblem, serviceProblem } from "./service-name-problems.js";

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

/** Whether any name differs from that of the contract. */
export function hasOtherNames(names: ServiceNames): boolean {
  return Object.values(services).some((service) => typeNameOf(service, names) !== service.typeName);
}

/** The path of an RPC without its slash, such as `proxydaemon.v1.ProxySubscriptions/SelectNode`. Takes its short name. */
export function pathOfRpc(rpc: string, names: ServiceNames = {}): string {
  const [name, method] = rpc.split("/");
  const service: DescService | undefined = Object.values(services).find((one) => one.name === name);
  if (service === undefined) throw new Error(`The contract has no RPC ${rpc}`);
  return `${typeNameOf(service, names)}/${method}`;
}

/** Makes an HTTP client call the services by other names. Throws a `TypeError` if a name is malformed. */
export function renameServices(client: UniversalClientFn, names: ServiceNames): UniversalClientFn {
  const problem =
    (names.package === undefined ? undefined : packageProblem(names.package)) ??
    (names.meshService === undefined ? undefined : serviceProblem(names.meshService));
  if (problem !== undefined) throw new TypeError(problem);
  if (!hasOtherNames(names)) return client;
  const paths = Object.values(services).map(
    (service) => [`/${service.typeName}/`, `/${typeNameOf(service, names)}/`] as const,
  );
  return (request) => {
    const url = paths.reduce((path, [from, to]) => path.replace(from, to), request.url);
    return client({ ...request, url });
  };
}

function typeNameOf(service: DescService, names: ServiceNames): string {
  const { meshService } = names;
  const name = service.name === renamableService.name ? (meshService ?? service.name) : service.name;
  if (name.includes(".")) return name;
  const { package: prefix = service.file.proto.package } = names;
  return prefix === "" ? name : `${prefix}.${name}`;
}
