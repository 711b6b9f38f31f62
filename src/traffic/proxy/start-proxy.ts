import { packageVersion } from "../../base/versions.js";
import { listenOn } from "../../server/listen-on.js";
import type { ListenAddress } from "../../server/running-server.js";
import { toJsonReport } from "../../verify/model/to-json-report.js";
import type { VerifyReport } from "../../verify/model/verify-report.js";
import { createForwarder, type ForwarderOptions } from "../forward/create-forwarder.js";
import type { ForwarderLimits } from "../forward/forwarder-limits.js";
import { createProxyServer } from "../forward/proxy-server.js";
import { createHarWriter } from "../har/create-har-writer.js";
import { createTrafficJudge } from "../judge/create-traffic-judge.js";
import type { JudgeOptions, TrafficContract } from "../judge/traffic-contract.js";
import { createJudgeQueue } from "./create-judge-queue.js";
import { answerOwnRequest } from "./own-endpoints.js";
import type { PlannedCases } from "./planned-cases.js";

/** How to proxy the traffic of any contract. */
export interface ProxyOptions extends JudgeOptions {
  /** Limits of forwarding. Judges requests of at most 1 MiB, to a daemon 5 MiB, and responses of at most 8 MiB by default. */
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
