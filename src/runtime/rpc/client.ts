import { type Client, createClient, createRouterTransport, type Transport } from "@connectrpc/connect";
import { addRpcs } from "../../server/rpc/add-rpcs.js";
import { type CallObserver, createCallReports } from "../../server/rpc/call-reports.js";
import { createRpcTransport, type RpcTransportOptions } from "../../wire/rpc-transport.js";
import { type Handlers, routesOf, type Services, type ShortName, shortName } from "./services.js";

/**
 * Typed clients for services, over shared connections. Calls take options such as `timeoutMs`, `signal` and `headers`, and fail with a
 * `ConnectError`, which has a `code`.
 */
export type RpcClient<Group extends Services> = {
  readonly [Name in keyof Group & string as ShortName<Name>]: Client<Group[Name]>;
} & {
  /** Closes the connections. Pending calls fail; a later call connects again. */
  readonly close: () => void;
};

/** Creates a client. It connects on the first call. Throws a `TypeError` if the address is malformed. */
export function createRpcClient<Group extends Services>(
  services: Group,
  options: RpcTransportOptions,
): RpcClient<Group> {
  const { transport, close } = createRpcTransport(options);
  return clientOver(services, transport, close);
}

/**
 * Creates a client for tests that calls handlers in the same process, without a network. It encodes and decodes messages, and
 * reports errors like a server. Closing it has no effect.
 */
export function createInMemoryRpcClient<Group extends Services>(
  services: Group,
  handlers: Handlers<Group>,
  { onFault }: Pick<CallObserver, "onFault"> = {},
): RpcClient<Group> {
  const reports = createCallReports(onFault === undefined ? {} : { onFault });
  const byService: Readonly<Record<string, object>> = handlers;
  const routes = routesOf(services, (service) => byService[shortName(service)]);
  return clientOver(
    services,
    createRouterTransport((router) => addRpcs(router, routes, reports)),
    () => {},
  );
}

function clientOver<Group extends Services>(
  services: Group,
  transport: Transport,
  close: () => void,
): RpcClient<Group> {
  const clients = Object.entries(services).map(([name, service]) => [
    shortName(name),
    createClient(service, transport),
  ]);
  return { ...Object.fromEntries(clients), close };
}
