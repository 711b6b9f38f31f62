import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { pathOfMethod, type RpcNames } from "../../contract/rpc/names.js";
import { readableStatus } from "../../server/rpc/readable-status.js";
import type { ListenAddress, RunningServer } from "../../server/running-server.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import type { ClientRequest } from "../forward/client-side.js";
import { describeForwardingError, silence } from "../forward/errors.js";
import type { Interception, OwnAnswer } from "../forward/passage.js";
import { defaultForwarderLimits, type ForwarderLimits, type ServerAddress } from "../forward/server-side.js";
import { createPlannedCases } from "../proxy/planned-cases.js";
import { type ProxyOptions, type RunningProxy, requireOtherServer, startProxy } from "../proxy/start-proxy.js";
import { trafficJudgesOf } from "./define-traffic-judge.js";
import { createCallRouter } from "./read-call.js";
import { createRpcTraffic } from "./rpc-traffic.js";

/**
 * The server behind the proxy, where the proxy listens, and how to judge the traffic. Recordings hold calls in the form of the Connect
 * protocol with JSON, whatever protocol they were made with.
 */
export interface ProxyRpcOptions extends ProxyOptions, ListenAddress {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** The names of the server's services, if they differ from those of the contract. */
  readonly names?: RpcNames;
}

/** Judges messages up to the default maximum of gRPC, with their prefix and trailers. */
export const maxMessageBytes = 5 * 1024 * 1024;
const rpcLimits: ForwarderLimits = {
  ...defaultForwarderLimits,
  maxRequestBytes: maxMessageBytes,
  maxResponseBytes: maxMessageBytes,
};

/**
 * Starts a proxy in front of a server. It forwards gRPC, gRPC-Web and Connect unchanged, and judges each call and its
 * response by the contract. By default, it listens on a free TCP port of 127.0.0.1.
 *
 * Rejects with a `CouldNotRunError` if the address or a name is malformed or nothing listens there, and with a `ListenError`.
 */
export async function proxyRpc(contract: RpcContract, options: ProxyRpcOptions): Promise<RunningProxy> {
  const { address, names, socket, host = "127.0.0.1" } = options;
  const port = options.port ?? (socket === undefined ? 0 : undefined);
  const route = createCallRouter(contract, names);
  const judges = await trafficJudgesOf(contract);
  const server = serverAt(address);
  const limits = { ...rpcLimits, ...options.limits };
  if (server.socketPath === undefined && port !== undefined) await requireOtherServer(server.origin, { host, port });
  await requireListening(server, address, limits);
  const shortName = shortNames(contract);
  const planned = createPlannedCases(
    contract.cases.flatMap(({ rpc, name, derived }) => (derived ? [] : `${shortName(rpc)}/${name}`)),
    "<method>/<case>",
  );
  let starting: Promise<RunningServer> | undefined;
  let mock: RunningServer | undefined;

  /** Sends a call with a planned case to a mock, which has the service names of the contract, and answers it in every protocol. */
  function intercept({ method = "GET", url = "/" }: ClientRequest): Interception | undefined {
    const [origin] = mock?.addresses ?? [];
    const destination = route(method, url);
    if (origin === undefined || destination.kind !== "rpc") return undefined;
    const { rpc, method: called } = destination.method;
    const name = planned.take(shortName(rpc));
    if (name === undefined) return undefined;
    const header = ["Prefer", `case=${name.slice(name.lastIndexOf("/") + 1)}`] as const;
    return { elsewhere: { origin, path: `/${pathOfMethod(called)}`, header }, provoked: () => [`case ${name}`] };
  }

  return startProxy(
    {
      ...server,
      contract: createRpcTraffic(contract, address, { ...(names && { names }), judges }),
      limits,
      planned,
      intercept,
      prepare: async () => {
        starting ??= import("../../mock/rpc/create-rpc-mock.js").then((one) => one.createRpcMock(contract));
        mock = await starting;
      },
      release: async () => (await starting)?.close(),
      refuse,
      success: {},
      error: (message) => ({ code: "invalid_argument", message }),
    },
    options,
    { host, port, socket },
  );
}

/** Names the RPCs in planned cases: by the method, and with its service if several services have it. */
function shortNames({ methods }: RpcContract): (rpc: string) => string {
  const methodOf = (rpc: string) => rpc.slice(rpc.indexOf("/") + 1);
  return (rpc) => (methods.filter((one) => methodOf(one.rpc) === methodOf(rpc)).length === 1 ? methodOf(rpc) : rpc);
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
      reject(new CouldNotRunError(`The server cannot be reached: ${describeForwardingError(error, address).reason}`));
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
