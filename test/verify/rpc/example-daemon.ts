import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterAll } from "vitest";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { type DaemonProtocol, MeshControlService, ProxySubscriptions } from "../../../src/daemon/index.js";
import { createRpcTransport } from "../../../src/wire/rpc-transport.js";
import type { CaseTarget } from "./run-case.js";

const contract = await loadDaemonContract();

/** The handlers of a daemon. The daemon lacks omitted RPCs. */
export type Handlers = Partial<ServiceImpl<typeof ProxySubscriptions> & ServiceImpl<typeof MeshControlService>>;

// Not after each test, because tests may run concurrently.
const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Registers a function to run after the tests of the file. */
export function stopLater(stop: () => unknown): void {
  stops.push(stop);
}

/** A daemon served by a test. */
export interface ExampleDaemon extends CaseTarget {
  /** Ends it and its connections, as a crash does. */
  readonly stop: () => void;
}

/**
 * Serves handlers until the end of the tests, over HTTP/2 for gRPC and HTTP/1.1 for the others. Uses the server of Connect, because that
 * of this package cleans the metadata of errors.
 */
export async function serveExample(handlers: Handlers, protocol: DaemonProtocol = "grpc"): Promise<ExampleDaemon> {
  const listener = connectNodeAdapter({
    routes: (router) => {
      router.service(ProxySubscriptions, handlers);
      router.service(MeshControlService, handlers);
    },
  });
  const server = protocol === "grpc" ? createHttp2Server(listener) : createHttp1Server(listener);
  const open = new Set<ServerHttp2Session | Socket>();
  server.on(protocol === "grpc" ? "session" : "connection", (connection) => open.add(connection));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = () => {
    server.close();
    for (const connection of open) connection.destroy();
  };
  stopLater(stop);
  const target = targetAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, protocol);
  return { ...target, stop };
}

/** Creates a transport, which is closed after the tests. */
export function targetAt(address: string, protocol: DaemonProtocol = "grpc", maxBytes?: number): CaseTarget {
  const size = maxBytes === undefined ? {} : { maxBytes };
  const { transport, close } = createRpcTransport({ address, protocol, ...size });
  stopLater(close);
  return { contract, transport, address, protocol };
}

/**
 * Creates the handlers of a daemon that keeps the contract and supports only lists of Trojan links. Where the contract leaves a choice,
 * it differs from the reference: ordinals start at 0, ids at 40.
 */
export function honestHandlers(): Required<Handlers> {
  const networks = new Map<number, number>();
  return {
    previewImport: async ({ url }) => {
      const names = await fetchNames(url);
      return { compatibleCount: names.length, node: names.map((name, ordinal) => ({ ordinal, name })) };
    },
    applyImport: async ({ id, url, selectedOrdinal }) => {
      const names = await fetchNames(url);
      const network = id === 0 ? 40 + networks.size : id;
      networks.set(network, names.length);
      return { id: network, importedCount: names.length, selectedOrdinal };
    },
    selectNode: ({ id, selectedOrdinal }) => {
      if (selectedOrdinal >= (networks.get(id) ?? 0)) throw new ConnectError("There is no such node", Code.NotFound);
      return { id, selectedOrdinal };
    },
    loginCancel: () => ({}),
  };
}

async function fetchNames(url: string): Promise<string[]> {
  try {
    const { origin, pathname, search } = new URL(url);
    const response = await fetch(`${origin}${pathname}${search}`, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error();
    return (await response.text()).split("\n").filter((line) => line.startsWith("trojan://"));
  } catch {
    throw new ConnectError("The subscription cannot be fetched", Code.Unavailable);
  }
}
