import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect } from "node:net";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { MeshControlService } from "../../generated/daemon/daemon/v1/mesh_control_pb.js";
import { ProxySubscriptions } from "../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import { type DaemonAddress, parseDaemonAddress } from "./daemon-address.js";

/** How calls travel. All three carry the same messages and errors. */
export type DaemonProtocol = "grpc" | "grpc-web" | "connect";

/** Which daemon is called, and how. */
export interface DaemonClientOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`, over HTTP/2. The other two use HTTP/1.1. */
  readonly protocol?: DaemonProtocol;
}

/** Typed clients of a daemon's services, over shared connections. */
export interface DaemonClient {
  /** Calls fail with a `ConnectError`, which has a `code`. Each takes options such as `timeoutMs`, `signal` and `headers`. */
  readonly proxySubscriptions: Client<typeof ProxySubscriptions>;
  /** As above. */
  readonly meshControl: Client<typeof MeshControlService>;
  /** Ends the connections. Calls under way fail; a later call connects again. */
  readonly close: () => void;
}

/**
 * Makes a client of a daemon. It connects with the first call and keeps connections for the next.
 *
 * Throws a `TypeError` when the address is malformed.
 */
export function createDaemonClient({ address, protocol = "grpc" }: DaemonClientOptions): DaemonClient {
  const where = parseDaemonAddress(address);
  const { transport, close } = protocol === "grpc" ? overHttp2(where) : overHttp1(where, protocol);
  return {
    proxySubscriptions: createClient(ProxySubscriptions, transport),
    meshControl: createClient(MeshControlService, transport),
    close,
  };
}

interface Connection {
  readonly transport: Transport;
  readonly close: () => void;
}

function overHttp2(where: DaemonAddress): Connection {
  const baseUrl = baseUrlOf(where);
  const toSocket = where.kind === "socket" ? { createConnection: () => connect(where.path) } : {};
  const sessionManager = new Http2SessionManager(baseUrl, {}, toSocket);
  return { transport: createGrpcTransport({ baseUrl, sessionManager }), close: () => sessionManager.abort() };
}

function overHttp1(where: DaemonAddress, protocol: "grpc-web" | "connect"): Connection {
  const secure = where.kind === "tcp" && where.secure;
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const nodeOptions = { agent, ...(where.kind === "socket" ? { socketPath: where.path } : {}) };
  const options = { baseUrl: baseUrlOf(where), httpVersion: "1.1", nodeOptions } as const;
  const transport = protocol === "connect" ? createConnectTransport(options) : createGrpcWebTransport(options);
  return { transport, close: () => agent.destroy() };
}

/** A socket has no host; the name fills the place that HTTP demands. */
function baseUrlOf(where: DaemonAddress): string {
  return where.kind === "socket" ? "http://localhost" : where.origin;
}
