import type { ConnectRouter } from "@connectrpc/connect";
import { afterEach } from "vitest";
import {
  createDaemonClient,
  type DaemonClient,
  type DaemonProtocol,
  ProxySubscriptions,
} from "../../../src/daemon/index.js";
import {
  createDaemonServer,
  type DaemonServer,
  type DaemonServerAddress,
} from "../../../src/daemon/server/create-daemon-server.js";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Stops something after the test. */
export function stopLater(stop: () => unknown): void {
  stops.push(stop);
}

/** Serves until the end of the test; SelectNode repeats what it gets, unless other routes are given. */
export async function serve(address: DaemonServerAddress = {}, routes = repeat): Promise<DaemonServer> {
  const server = await createDaemonServer({ ...address, routes });
  stopLater(server.close);
  return server;
}

function repeat(router: ConnectRouter): void {
  router.service(ProxySubscriptions, { selectNode: ({ id, selectedOrdinal }) => ({ id, selectedOrdinal }) });
}

/** A client of the first address, until the end of the test. */
export function clientOf(
  { addresses }: DaemonServer,
  protocol: DaemonProtocol = "grpc",
): DaemonClient["proxySubscriptions"] {
  const client = createDaemonClient({ address: addresses[0] ?? "", protocol });
  stopLater(client.close);
  return client.proxySubscriptions;
}

/** The first address, which is a TCP port. */
export function urlOf({ addresses }: DaemonServer): URL {
  return new URL(addresses[0] ?? "");
}
