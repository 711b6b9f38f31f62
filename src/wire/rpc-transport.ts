import type { Transport } from "@connectrpc/connect";
import type { CommonTransportOptions, UniversalClientFn } from "@connectrpc/connect/protocol";
import { createTransport as createConnectTransport } from "@connectrpc/connect/protocol-connect";
import { createTransport as createGrpcTransport } from "@connectrpc/connect/protocol-grpc";
import { createTransport as createGrpcWebTransport } from "@connectrpc/connect/protocol-grpc-web";
import { compressionBrotli, compressionGzip, createNodeHttpClient } from "@connectrpc/connect-node";
import { acceptStatusInHeaders } from "./accept-status-in-headers.js";
import type { ClientCertificate } from "./client-certificate.js";
import { proxyOf } from "./env-proxy.js";
import { createAgent } from "./http-route.js";
import { createHttp2Client } from "./http2-client.js";
import { inspectedCompression } from "./inspect-messages.js";
import { openSocket } from "./open-socket.js";
import { parseRpcAddress, type RpcAddress } from "./rpc-address.js";
import { observeHttpAnswers } from "./watch-http-answer.js";

/** The protocol of calls. All three carry the same messages and errors. */
export type RpcProtocol = "grpc" | "grpc-web" | "connect";

/** The server to call, and how to call it. */
export interface RpcTransportOptions {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Defaults to `grpc`, over HTTP/2. The other two use HTTP/1.1. */
  readonly protocol?: RpcProtocol;
  /** Maximum size of a response in bytes; calls with a larger one fail. Defaults to 64 MiB. */
  readonly maxBytes?: number;
  /** Shown to servers that ask for a certificate. */
  readonly certificate?: ClientCertificate;
  /** Whether calls take the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except to this machine and hosts of `NO_PROXY`. Defaults to false. */
  readonly usesProxy?: boolean;
  /** Whether each call gets a connection of its own, so that it meets none that the server closes as idle or for another. Defaults to false. */
  readonly connectionPerCall?: boolean;
  /** The names of the server's services, by those that calls use. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/** Sends calls of any service. */
export interface RpcTransport {
  readonly transport: Transport;
  /** Closes the connections. Pending calls fail; a later call connects again. */
  readonly close: () => void;
}

/** Creates the transport of a client. It connects on the first call. Throws a `TypeError` if the address is malformed. */
export function createRpcTransport({
  address,
  protocol = "grpc",
  maxBytes = 64 * 1024 * 1024,
  renamed = new Map(),
  ...access
}: RpcTransportOptions): RpcTransport {
  const where = parseRpcAddress(address);
  const { httpClient, close } = protocol === "grpc" ? overHttp2(where, access) : overHttp1(where, access);
  const transport = transportOf(protocol, {
    httpClient: renameServices(observeHttpAnswers(httpClient), renamed),
    baseUrl: baseUrlOf(where),
    readMaxBytes: maxBytes,
    ...transportDefaults,
  });
  return { transport, close };
}

/** The defaults of the transports of connect-node. */
const transportDefaults = {
  useBinaryFormat: true,
  interceptors: [],
  acceptCompression: [compressionGzip, compressionBrotli].map(inspectedCompression),
  sendCompression: null,
  compressMinBytes: 1024,
  writeMaxBytes: 0xffffffff,
};

interface Connection {
  readonly httpClient: UniversalClientFn;
  readonly close: () => void;
}

type AccessOptions = Pick<RpcTransportOptions, "certificate" | "usesProxy" | "connectionPerCall">;

function overHttp2(where: RpcAddress, access: AccessOptions): Connection {
  return createHttp2Client(baseUrlOf(where), (signal) => openSocket(where, { ...access, signal }), access);
}

function overHttp1(
  where: RpcAddress,
  { certificate, usesProxy = false, connectionPerCall = false }: AccessOptions,
): Connection {
  const target = new URL(baseUrlOf(where));
  const proxy = where.kind === "tcp" && usesProxy ? proxyOf(target) : undefined;
  const agent = createAgent(target, { proxy, certificate }, { keepAlive: !connectionPerCall });
  const nodeOptions = { agent, ...(where.kind === "socket" ? { socketPath: where.path } : {}) };
  return { httpClient: createNodeHttpClient({ httpVersion: "1.1", nodeOptions }), close: () => agent.destroy() };
}

function transportOf(protocol: RpcProtocol, options: CommonTransportOptions): Transport {
  switch (protocol) {
    case "grpc":
      return createGrpcTransport(options);
    case "grpc-web":
      return createGrpcWebTransport({ ...options, httpClient: acceptStatusInHeaders(options.httpClient) });
    case "connect":
      return createConnectTransport(options);
  }
}

/** HTTP requires a host, so a socket gets the name `localhost`. */
function baseUrlOf(where: RpcAddress): string {
  return where.kind === "socket" ? "http://localhost" : where.origin;
}

/** Makes an HTTP client call services by other names. */
function renameServices(client: UniversalClientFn, renamed: ReadonlyMap<string, string>): UniversalClientFn {
  if (renamed.size === 0) return client;
  return (request) => {
    const url = [...renamed].reduce((path, [from, to]) => path.replace(`/${from}/`, `/${to}/`), request.url);
    return client({ ...request, url });
  };
}
