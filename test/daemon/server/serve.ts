import { afterEach } from "vitest";
import {
  createDaemonClient,
  createDaemonServer,
  type DaemonClient,
  type DaemonHandlers,
  type DaemonProtocol,
  type DaemonServer,
  type DaemonServerOptions,
} from "../../../src/daemon/index.js";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Registers a function to run after the test. */
export function stopLater(stop: () => unknown): void {
  stops.push(stop);
}

/** Test handlers, replaced by those given. SelectNode repeats its request. */
export function handlersWith(some: Partial<DaemonHandlers> = {}): DaemonHandlers {
  return {
    previewImport: () => ({}),
    applyImport: () => ({}),
    selectNode: ({ id, selectedOrdinal }) => ({ id, selectedOrdinal }),
    loginCancel: () => ({}),
    ...some,
  };
}

/** Serves until the end of the test. */
export async function serve(
  options: Omit<DaemonServerOptions, "handlers"> = {},
  some: Partial<DaemonHandlers> = {},
): Promise<DaemonServer> {
  const server = await createDaemonServer({ ...options, handlers: handlersWith(some) });
  stopLater(server.close);
  return server;
}

/** Creates a client of the first address, and closes it after the test. */
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
