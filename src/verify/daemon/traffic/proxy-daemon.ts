import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { loadDaemonCases } from "../../../contract/daemon/cases.js";
import { type DaemonAddress, parseDaemonAddress } from "../../../daemon/daemon-address.js";
import type { DaemonServerAddress } from "../../../daemon/server/daemon-server.js";
import { createEitherHttp } from "../../../daemon/server/either-http.js";
import { listenOn } from "../../../daemon/server/listen-on.js";
import { readableStatus } from "../../../daemon/server/readable-status.js";
import { packageVersion } from "../../../versions.js";
import type { Check } from "../../check.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import { toJsonReport } from "../../report/format-json.js";
import { createForwarder } from "../../traffic/create-forwarder.js";
import { createJudgeQueue } from "../../traffic/create-judge-queue.js";
import { createStreamForwarder } from "../../traffic/create-stream-forwarder.js";
import { defaultForwarderLimits, type ForwarderLimits } from "../../traffic/forwarder-limits.js";
import { describeForwardingError } from "../../traffic/forwarding-errors.js";
import { createHarWriter } from "../../traffic/har/create-har-writer.js";
import { answerOwnRequest, isOwnRequest, type OwnEndpoints } from "../../traffic/own-endpoints.js";
import { planNext } from "../../traffic/planned-cases.js";
import { requireOtherServer } from "../../traffic/require-other-server.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import type { VerifyReport } from "../../verify-report.js";
import { createDaemonTrafficJudge, type DaemonTrafficOptions } from "./judge-traffic.js";
import { createPlannedCalls } from "./planned-calls.js";
import { createCallRouter } from "./route-call.js";

/** The daemon behind the proxy, where the proxy listens, and how to judge the traffic. */
export interface ProxyDaemonOptions extends DaemonTrafficOptions, DaemonServerAddress {
  /** `unix:/path/to/socket`, `http://host:port` or `https://host:port`. */
  readonly address: string;
  /** Limits of forwarding. Judges at most 5 MiB of a request and 8 MiB of a response by default; see `ForwarderLimits` for the others. */
  readonly limits?: Partial<ForwarderLimits>;
  /**
   * A file that the traffic is recorded to, as HAR 1.2 with secrets masked. Calls are recorded in the form of the Connect protocol with
   * JSON, whatever protocol they were made with.
   */
  readonly harFile?: string;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: Check) => void;
  /** Called with each exchange, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange) => void;
}

/** A running proxy. */
export interface DaemonProxy {
  /** Addresses that clients call instead of the daemon's, such as `http://127.0.0.1:4025` and `unix:/tmp/proxy.sock`. */
  readonly addresses: readonly string[];
  /** The report of all exchanges so far. */
  readonly report: () => Promise<VerifyReport>;
  /**
   * Stops it: gives pending calls two seconds to finish, then completes the recording. Rejects with a `CouldNotRunError` if that, or
   * judging a call, failed.
   */
  readonly close: () => Promise<void>;
}

const mebibyte = 1024 * 1024;
/** Judges messages up to the default maximum of gRPC, with their prefix and trailers. */
const daemonLimits: ForwarderLimits = { ...defaultForwarderLimits, maxRequestBytes: 5 * mebibyte };
/** Only the server ends long-lived streams, such as those of the health service. */
const connectionLimits = { headersMs: 30_000, requestMs: 86_400_000, idleMs: 300_000, connections: 1_000 };

/**
 * Starts a proxy in front of a daemon. It forwards gRPC, gRPC-Web and Connect unchanged, and judges each call and its
 * response by the RPC contract. By default, it listens on a free TCP port of 127.0.0.1.
 *
 * Rejects with a `CouldNotRunError` if the address is malformed or nothing listens there, and with a `ListenError`.
 */
export async function proxyDaemon(options: ProxyDaemonOptions): Promise<DaemonProxy> {
  const { address, onFinding, onExchange, harFile, socket, host = "127.0.0.1" } = options;
  const port = options.port ?? (socket === undefined ? 0 : undefined);
  const where = parseAddress(address);
  const limits = { ...daemonLimits, ...options.limits };
  if (where.kind === "tcp" && port !== undefined) await requireOtherServer(where.origin, { host, port });
  await requireListening(where, address, limits.maxConnectMs);
  const judge = await createDaemonTrafficJudge(options);
  const har =
    harFile === undefined ? undefined : createHarWriter(harFile, { origin: originOf(where), version: packageVersion });
  const queue = createJudgeQueue(async (exchange) => {
    if (har !== undefined) {
      const { exchange: recorded, mask } = judge.recorded(exchange);
      har.add(recorded, mask);
    }
    for (const check of await judge.observe(exchange)) onFinding?.(check);
  });
  const common = {
    origin: originOf(where),
    ...(where.kind === "socket" ? { socketPath: where.path } : {}),
    limits,
    onExchange: (exchange: RecordedExchange) => {
      onExchange?.(exchange);
      queue.add(exchange);
    },
  };
  const forwarder = createForwarder({ ...common, formatError });
  const streams = createStreamForwarder({ ...common, refuse });
  const { cases } = await loadDaemonCases();
  const plannedCalls = createPlannedCalls({
    ...common,
    cases,
    route: createCallRouter(options.names),
    startMock: async () => (await import("../../../mock/daemon/create-daemon-mock.js")).createDaemonMock(),
    formatError,
    refuse,
  });

  async function report(): Promise<VerifyReport> {
    await queue.drain();
    return judge.report();
  }

  const endpoints: OwnEndpoints = {
    "GET /accord/report": async () => ({ status: 200, body: toJsonReport(await report()) }),
    "POST /accord/next": async (body) => {
      await plannedCalls.start();
      return planNext(plannedCalls.planned, body, {
        success: {},
        error: (message) => ({ code: "invalid_argument", message }),
      });
    },
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwnRequest(request)) {
      if (!plannedCalls.handle(request, response)) forwarder.handle(request, response);
      return;
    }
    const error = (message: string) => ({ code: "not_found", message });
    void answerOwnRequest(request, response, { endpoints, error, host });
  };
  const createHttp = () =>
    // All streams of HTTP/2 are taken, so every request is one of HTTP/1.1.
    createEitherHttp((request, response) => handle(request as IncomingMessage, response as ServerResponse), {
      limits: connectionLimits,
      onStream: (stream, headers) => {
        if (!plannedCalls.handleStream(stream, headers)) streams.handle(stream, headers);
      },
    });
  const stop = async () => {
    forwarder.close();
    streams.close();
    await plannedCalls.close();
    await queue.drain();
    await har?.end();
    queue.requireFaultless();
  };
  try {
    const { addresses, close } = await listenOn(options, createHttp);
    return { addresses, report, close: () => close().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function originOf(where: DaemonAddress): string {
  return where.kind === "socket" ? "http://localhost" : where.origin;
}

function parseAddress(address: string): DaemonAddress {
  try {
    return parseDaemonAddress(address);
  } catch (error) {
    throw error instanceof TypeError ? new CouldNotRunError(error.message) : error;
  }
}

/** Connects once, so that a wrong address is reported before the tests of a client run. */
function requireListening(where: DaemonAddress, address: string, maxConnectMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = where.kind === "tcp" ? new URL(where.origin) : undefined;
    const options =
      where.kind === "socket"
        ? { path: where.path }
        : {
            host: url?.hostname.replace(/^\[|\]$/g, "") ?? "",
            port: Number(url?.port || (where.secure ? 443 : 80)),
          };
    const socket = connect({ ...options, timeout: maxConnectMs });
    const fail = (error: NodeJS.ErrnoException) => {
      socket.destroy();
      reject(new CouldNotRunError(`The daemon cannot be reached: ${describeForwardingError(error, address).reason}`));
    };
    socket.once("error", fail);
    socket.once("timeout", () =>
      fail(new Error(`it did not accept the connection within ${maxConnectMs / 1000} seconds`)),
    );
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}

function formatError(message: string): { readonly type: string; readonly text: string } {
  return { type: "application/json", text: JSON.stringify({ code: "unavailable", message }) };
}

/** Responds to a stream that cannot be forwarded, as its protocol requires. */
function refuse(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, reason: string): void {
  if (stream.headersSent) return void stream.close();
  const message = `The proxy got no response: ${reason}`;
  const type = headers["content-type"] ?? "";
  if (/^application\/grpc(?:$|[+;])/i.test(type)) {
    const status = readableStatus(setTrailerStatus(new Headers(), new ConnectError(message, Code.Unavailable)));
    stream.respond({ ...Object.fromEntries(status), ":status": 200, "content-type": type }, { endStream: true });
    return;
  }
  stream.respond({ ":status": 502, "content-type": "application/json" });
  stream.end(formatError(message).text);
}
