/** A service of a generated module. */
export interface GeneratedService {
  /** Its name in the module. */
  readonly name: string;
  /** Its name among all services of the contract, which is longer if another has the same. */
  readonly key: string;
  /** The code of the module. */
  readonly code: string;
}

/** Lists the services of the modules of protoc-gen-es, by path. */
export function listServices(modules: ReadonlyMap<string, string>): GeneratedService[] {
  const found = [...modules].flatMap(([path, code]) =>
    [...code.matchAll(/^export const ([\w$]+): GenService</gm)].map(([, name = ""]) => ({ path, name, code })),
  );
  const isUnique = (name: string) => found.filter((one) => one.name === name).length === 1;
  return found.map(({ path, name, code }) => ({ name, code, key: isUnique(name) ? name : `${nameOf(path)}_${name}` }));
}

/** The module that exports everything of the modules of protoc-gen-es, and all services by name. */
export function contractModule(modules: ReadonlyMap<string, string>): string {
  const services = listServices(modules);
  const exported = new Set<string>(["services"]);
  const exports = [...modules].map(([path, code]) => {
    const names = [...code.matchAll(/^export (?:const|type|enum) ([\w$]+)/gm)].map(([, name = ""]) => name);
    const isTaken = names.some((name) => exported.has(name));
    for (const name of isTaken ? [nameOf(path)] : names) exported.add(name);
    return `export * ${isTaken ? `as ${nameOf(path)} ` : ""}from "${specifierOf(path)}";`;
  });
  const imports = [...modules].flatMap(([path, code]) => {
    const own = services.filter((service) => service.code === code);
    const names = own.map(({ name, key }) => (name === key ? name : `${name} as ${key}`)).join(", ");
    return own.length === 0 ? [] : [`import { ${names} } from "${specifierOf(path)}";`];
  });
  const keys = services.map(({ key }) => key).join(", ");
  return [
    ...[...imports, "", ...exports, ""],
    ...["/** The services of the contract by name. */", `export const services = { ${keys} } as const;`, ""],
  ].join("\n");
}

function specifierOf(path: string): string {
  return `./${path.replace(/\.ts$/, ".js")}`;
}

function nameOf(path: string): string {
  return path.replace(/_pb\.ts$/, "").replace(/\W+/g, "_");
}

/** The module with the typed client. */
export const rpcClientModule = `import { createRpcClient, type RpcClient, type RpcTransportOptions } from "accord-contracts/runtime/rpc";
import { services } from "./contract.js";

/** A typed client for each service, over shared connections. */
export type Client = RpcClient<typeof services>;

/** Creates a client. It connects on the first call. Throws a \`TypeError\` if the address is malformed. */
export function createClient(options: RpcTransportOptions): Client {
  return createRpcClient(services, options);
}
`;

/** The module with the typed server. */
export const rpcServerModule = `import {
  createInMemoryRpcClient,
  createRedaction,
  createRpcServer,
  type Handlers as HandlersOf,
  type RpcServerOptions,
  type RunningServer,
} from "accord-contracts/runtime/rpc";
import type { Client } from "./client.js";
import { services } from "./contract.js";

/** A handler for each unary RPC, by service. */
export type Handlers = HandlersOf<typeof services>;

/** The handlers, addresses and observer of a server. */
export type ServerOptions = RpcServerOptions<typeof services>;

/** Serves the unary RPCs over gRPC, gRPC-Web and Connect, with server reflection and the standard health service. */
export function createServer(options: ServerOptions): Promise<RunningServer> {
  return createRpcServer(services, options);
}

/** Creates a client for tests that calls handlers in the same process. */
export function createInMemoryClient(handlers: Handlers): Client {
  return createInMemoryRpcClient(services, handlers);
}

/** Copy messages without their secrets, for logs. */
export const { redact, redactedJson } = createRedaction(services);
`;
