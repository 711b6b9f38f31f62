import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { services } from "../../generated/daemon/contract.js";

type Services = typeof services;

/** The name of a client: `proxySubscriptions` for `ProxySubscriptions`, `meshControl` for `MeshControlService`. */
type ClientName<Name extends string> = Uncapitalize<Name extends `${infer Short}Service` ? Short : Name>;

/**
 * A client for each service of the contract. Calls take options such as `timeoutMs`, `signal` and `headers`, and fail with a
 * `ConnectError`, which has a `code`.
 */
export type ServiceClients = {
  readonly [Name in keyof Services as ClientName<Name>]: Client<Services[Name]>;
};

/** Typed clients for the services of a daemon, over shared connections. */
export type DaemonClient = ServiceClients & {
  /** Closes the connections. Pending calls fail; a later call connects again. */
  readonly close: () => void;
};

/** Creates a client for each service of the contract. */
export function createServiceClients(transport: Transport): ServiceClients {
  const clients = Object.entries(services).map(([name, service]) => [
    clientName(name),
    createClient(service, transport),
  ]);
  return Object.fromEntries(clients);
}

/** The name of the client of a service. */
export function clientName(service: string): string {
  const short = service.replace(/Service$/, "");
  return short.charAt(0).toLowerCase() + short.slice(1);
}
