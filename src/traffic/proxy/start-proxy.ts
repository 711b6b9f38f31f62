import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { ListenOptions } from "../../base/listen.js";
import { packageVersion } from "../../base/versions.js";
import { createEitherHttp, defaultConnectionLimits, type EitherHttp, type Handler } from "../../http/either-http.js";
import { type FormatError, refuseMalformed } from "../../http/malformed-requests.js";
import { createPipeliningLimit } from "../../http/pipelining.js";
import { toJsonReport } from "../../report/model/to-json-report.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import { listenOn } from "../../server/listen-on.js";
import type { ListenAddress } from "../../server/running-server.js";
import { createForwarder, type ForwarderOptions } from "../forward/create-forwarder.js";
import { type ForwarderLimits, maxHeaderBytes } from "../forward/server-side.js";
import { createHarWriter } from "../har/create-har-writer.js";
import { createTrafficJudge, type JudgeOptions, type TrafficContract } from "../judge/create-traffic-judge.js";
import { createJudgeQueue } from "./create-judge-queue.js";
import { answerOwnRequest } from "./own-endpoints.js";
import type { PlannedCases } from "./planned-cases.js";

/** How to proxy the traffic of any contract. */
export interface ProxyOptions extends JudgeOptions {
  /** Limits of forwarding. Judges requests of at most 1 MiB, of RPCs 5 MiB, and responses of at most 8 MiB by default. */
  readonly limits?: Partial<ForwarderLimits>;
  /** A file that the traffic is recorded to, as HAR 1.2 with secrets masked. */
  readonly harFile?: string;
}

/** What the proxy of a contract does. */
export interface ProxiedContract
  extends Pick<ForwarderOptions, "origin" | "socketPath" | "intercept" | "refuse" | "limits"> {
  readonly contract: TrafficContract;
  readonly planned: PlannedCases;
  /** Called before a case is planned, and when the proxy has stopped. */
  readonly prepare?: () => Promise<unknown>;
  readonly release?: () => Promise<void>;
  /** The bodies of the responses of the proxy's own endpoints. */
  readonly success: object;
  readonly error: (message: string) => object;
}

/** A running proxy. */
export interface RunningProxy {
  /** Addresses that clients call instead of the server's, such as `http://127.0.0.1:4025` and `unix:/tmp/proxy.sock`. */
  readonly addresses: readonly string[];
  /** The report of all exchanges so far. */
  readonly report: () => Promise<VerifyReport>;
  /**
   * Stops it: gives pending requests two seconds to finish, then completes the recording. Rejects with a `CouldNotRunError` if that, or
   * judging an exchange, failed.
   */
  readonly close: () => Promise<void>;
}

/** Starts a proxy that judges what it forwards. Rejects with a `ListenError`. */
export async function startProxy(
  proxied: ProxiedContract,
  { harFile, ...options }: ProxyOptions,
  address: ListenAddress,
): Promise<RunningProxy> {
  const { contract, origin, planned, success, error } = proxied;
  const har = harFile === undefined ? undefined : createHarWriter(harFile, { origin, version: packageVersion });
  const judge = createTrafficJudge(contract, options, har?.add);
  const queue = createJudgeQueue(judge.observe);
  const forwarder = createForwarder({ ...proxied, onExchange: queue.add });

  async function report(): Promise<VerifyReport> {
    await queue.drain();
    return judge.report();
  }

  async function stop(): Promise<void> {
    forwarder.close();
    await proxied.release?.();
    await queue.drain();
    await har?.end();
    queue.requireFaultless();
  }

  const { host = "127.0.0.1" } = address;
  const endpoints = {
    "GET /accord/report": async () => ({ status: 200, body: toJsonReport(await report()) }),
    "POST /accord/next": async (body: unknown) => {
      await proxied.prepare?.();
      const problem = planned.plan(typeof body === "object" && body !== null ? Reflect.get(body, "case") : undefined);
      return problem === undefined ? { status: 200, body: success } : { status: 400, body: error(problem) };
    },
  };
  const createHttp = () =>
    createProxyServer(
      (request, response) => {
        if ("stream" in request || "stream" in response || request.url?.startsWith("/accord/") !== true)
          forwarder.handle(request, response);
        else void answerOwnRequest(request, response, { endpoints, error, host });
      },
      (message) => ({ type: "application/json", text: JSON.stringify(error(message)) }),
    );
  try {
    const { addresses, close } = await listenOn(address, createHttp);
    return { addresses, report, close: () => close().then(stop) };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

/** Only the server ends long-lived streams, such as those of the health service of gRPC. The forwarder limits silence. */
const limits = { ...defaultConnectionLimits, headersMs: 30_000, requestMs: 86_400_000, connections: 5_000 };

/** Creates the server of a proxy, for both versions of HTTP. */
export function createProxyServer(handler: Handler, formatError: FormatError): EitherHttp {
  const mayServe = createPipeliningLimit();
  const http = createEitherHttp(
    (request, response) => {
      if ("stream" in request || "stream" in response || mayServe(request, response)) handler(request, response);
    },
    // The server decides what is too large.
    { limits, http1: { maxHeaderSize: maxHeaderBytes, requireHostHeader: false } },
  );
  refuseMalformed(http.server, formatError);
  return http;
}

/** Addresses that stand for every address of this machine. */
const unspecified: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Rejects with a `CouldNotRunError` if a proxy that listens there would forward to itself. */
export async function requireOtherServer(
  origin: string,
  { host = "127.0.0.1", port = 0 }: ListenOptions,
): Promise<void> {
  const { hostname, port: given, protocol } = new URL(origin);
  if (port === 0 || port !== Number(given || (protocol === "https:" ? 443 : 80))) return;
  const [target, own] = await Promise.all([hostname.replace(/^\[|\]$/g, ""), host].map(addressesOf));
  if (!target?.some((one) => own?.includes(one))) return;
  throw new CouldNotRunError(
    `The proxy would forward to itself, because it listens at ${origin}. Correct the URL of the server, or choose another --port`,
  );
}

/** The addresses of a name. Those of this machine for an unspecified address; none if the name does not resolve. */
async function addressesOf(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.flatMap(({ address }) => (unspecified.has(address) ? [address, ...ownAddresses()] : address));
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}
