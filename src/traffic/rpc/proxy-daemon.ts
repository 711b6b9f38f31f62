import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { loadDaemonCases } from "../../daemon/daemon-contract.js";
import { pathOfRpc, type ServiceNames } from "../../daemon/service-names.js";
import { readableStatus } from "../../server/rpc/readable-status.js";
import type { ListenAddress, RunningServer } from "../../server/running-server.js";
import { CouldNotRunError } from "../../verify/could-not-run-error.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { ClientRequest } from "../forward/client-side.js";
import { describeForwardingError, silence } from "../forward/errors.js";
import { defaultForwarderLimits, type ForwarderLimits } from "../forward/forwarder-limits.js";
import type { Interception, OwnAnswer } from "../forward/interception.js";
import type { ServerAddress } from "../forward/server-side.js";
import { createPlannedCases } from "../proxy/planned-cases.js";
import { requireOtherServer } from "../proxy/require-other-server.js";
import { type ProxyOptions, type RunningProxy, startProxy } from "../proxy/start-proxy.js";
import { createDaemonTraffic } from "./daemon-traffic.js";
import { createCallRouter } from "./route-call.js";

/**
 * The daemon behind the proxy, where the proxy listens, and how to judge the traffic. Recordings hold calls in the form of the Connect
 * protocol with JSON, whatever protocol they were made with.
 */
export interface ProxyDaemonOptions extends ProxyOptions, ListenAddress {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** The names of the daemon's services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
}

/** A running proxy. */
export type DaemonProxy = RunningProxy;

/** Judges messages up to the default maximum of gRPC, with their prefix and trailers. */
const daemonLimits: ForwarderLimits = { ...defaultForwarderLimits, maxRequestBytes: 5 * 1024 * 1024 };

/**
 * Starts a proxy in front of a daemon. It forwards gRPC, gRPC-Web and Connect unchanged, and judges each call and its
 * response by the RPC contract. By default, it listens on a free TCP port of 127.0.0.1.
 *
 * Rejects with a `CouldNotRunError` if the address is malformed or nothing listens there, and with a `ListenError`.
 */
export async function proxyDaemon(options: ProxyDaemonOptions): Promise<DaemonProxy> {
  const { address, names, socket, host = "127.0.0.1" } = options;
  const port = options.port ?? (socket === undefined ? 0 : undefined);
  const server = serverAt(address);
  const limits = { ...daemonLimits, ...options.limits };
  if (server.socketPath === undefined && port !== undefined) await requireOtherServer(server.origin, { host, port });
  await requireListening(server, address, limits);
  const route = createCallRouter(names);
  const { cases } = await loadDaemonCases();
  const planned = createPlannedCases(
    cases.map(({ rpc, name }) => `${methodName(rpc)}/${name}`),
    "<method>/<case>",
  );
  let starting: Promise<RunningServer> | undefined;
  let mock: RunningServer | undefined;

  /** Sends a call with a planned case to a mock, which has the service names of the contract, and answers it in every protocol. */
  function intercept({ method = "GET", url = "/" }: ClientRequest): Interception | undefined {
    const [origin] = mock?.addresses ?? [];
    const destination = route(method, url);
    if (origin === undefined || destination.kind !== "rpc") return undefined;
    const { rpc } = destination.method;
    const name = planned.take(methodName(rpc));
    if (name === undefined) return undefined;
    const header = ["Prefer", `case=${name.slice(name.indexOf("/") + 1)}`] as const;
    return { elsewhere: { origin, path: `/${pathOfRpc(rpc)}`, header }, provoked: () => [`case ${name}`] };
  }

  return startProxy(
    {
      ...server,
      contract: await createDaemonTraffic(address, names),
      limits,
      planned,
      intercept,
      prepare: async () => {
        starting ??= import("../../daemon/mock.js").then((one) => one.createDaemonMock());
        mock = await starting;
      },
      release: async () => (await starting)?.close(),
      refuse,
      success: {},
      error: (message) => ({ code: "invalid_argument", message }),
    },
    options,
    { host, ...(port === undefined ? {} : { port }), ...(socket === undefined ? {} : { socket }) },
  );
}

function methodName(rpc: RpcCase["rpc"]): string {
  return rpc.slice(rpc.indexOf("/") + 1);
}

function serverAt(address: string): ServerAddress {
  try {
    const where = parseRpcAddress(address);
    return where.kind === "socket" ? { origin: "http://localhost", socketPath: where.path } : { origin: where.origin };
  } catch (error) {
    throw error instanceof TypeError ? new CouldNotRunError(error.message) : error;
  }
}

/** Connects once, so that a wrong address is reported before the tests of a client run. */
function requireListening(
  { origin, socketPath }: ServerAddress,
  address: string,
  limits: ForwarderLimits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(origin);
    const where =
      socketPath === undefined
        ? { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (protocol === "https:" ? 443 : 80)) }
        : { path: socketPath };
    const socket = connect({ ...where, timeout: limits.maxConnectMs });
    const fail = (error: Error) => {
      socket.destroy();
      reject(new CouldNotRunError(`The daemon cannot be reached: ${describeForwardingError(error, address).reason}`));
    };
    socket.once("error", fail);
    socket.once("timeout", () => fail(silence(true, limits)));
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}

/** The response to a call that cannot be forwarded, as its protocol requires. */
function refuse(message: string, _: number, { headers, httpVersion }: ClientRequest): OwnAnswer {
  const { "content-type": type = "" } = headers;
  if (httpVersion === "2.0" && /^application\/grpc(?:$|[+;])/i.test(type)) {
    const status = readableStatus(setTrailerStatus(new Headers(), new ConnectError(message, Code.Unavailable)));
    return { status: 200, headers: { ...Object.fromEntries(status), "content-type": type }, text: "" };
  }
  const text = JSON.stringify({ code: "unavailable", message });
  return { status: 502, headers: { "content-type": "application/json" }, text };
}
