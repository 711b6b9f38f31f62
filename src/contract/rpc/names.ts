import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";

/** The names of the services of a server, if they differ from those of the contract. The messages are the same. */
export interface RpcNames {
  /** The package of the services, such as `acme.proxy.v2`; an empty string if they have none. */
  readonly package?: string;
  /** By the name in the contract: the name, such as `Mesh`; with its package, such as `acme.mesh.Mesh`, if that is another one. */
  readonly services?: Readonly<Record<string, string>>;
}

/** The full name of a service of a server. */
function typeNameOf(service: DescService, { package: other, services = {} }: RpcNames): string {
  const name = services[service.name] ?? services[service.typeName] ?? service.name;
  if (name.includes(".")) return name;
  const prefix = other ?? service.file.proto.package;
  return prefix === "" ? name : `${prefix}.${name}`;
}

/** The path of an RPC of a server without its slash, such as `acme.proxy.v2.ProxySubscriptions/SelectNode`. */
export function pathOfMethod({ parent, name }: DescMethod, names: RpcNames = {}): string {
  return `${typeNameOf(parent, names)}/${name}`;
}

/** The names of services that differ from those of the contract, by the latter. Throws a `TypeError` if one is malformed. */
export function renamedServices(files: readonly DescFile[], names: RpcNames): ReadonlyMap<string, string> {
  const services = files.flatMap((file) => file.services);
  const problems = [
    names.package === undefined ? undefined : packageProblem(names.package),
    ...Object.values(names.services ?? {}).map(serviceProblem),
    ...Object.keys(names.services ?? {})
      .filter((name) => !services.some((service) => service.name === name || service.typeName === name))
      .map((name) => `The contract has no service ${name}. It has ${services.map((one) => one.name).join(", ")}.`),
  ];
  const problem = problems.find((one) => one !== undefined);
  if (problem !== undefined) throw new TypeError(problem);
  const pairs = services.map((service) => [service.typeName, typeNameOf(service, names)] as const);
  return new Map(pairs.filter(([from, to]) => from !== to));
}

const identifier = String.raw`[A-Za-z_]\w*`;
const packagePattern = new RegExp(String.raw`^(?:${identifier}(?:\.${identifier})*)?$`);
const servicePattern = new RegExp(String.raw`^${identifier}(?:\.${identifier})*$`);

/** Describes what is wrong with the name of a package; undefined if nothing is. */
export function packageProblem(name: string): string | undefined {
  return packagePattern.test(name) ? undefined : "It must be the name of a package, such as acme.proxy.v2.";
}

/** Describes what is wrong with the name of a service; undefined if nothing is. */
export function serviceProblem(name: string): string | undefined {
  return servicePattern.test(name)
    ? undefined
    : "It must be the name of a service, such as Mesh, or with its package, such as acme.mesh.Mesh.";
}
