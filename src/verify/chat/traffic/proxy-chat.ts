import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope } from "../../../http/envelope-server.js";
import { type Listening, type ListenOptions, listen } from "../../../listen.js";
import { packageVersion } from "../../../versions.js";
import type { Check } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import { toJsonReport } from "../../report/format-json.js";
import { createForwarder } from "../../traffic/create-forwarder.js";
import { createJudgeQueue } from "../../traffic/create-judge-queue.js";
import type { ForwarderLimits } from "../../traffic/forwarder-limits.js";
import { createHarWriter } from "../../traffic/har/create-har-writer.js";
import type { Interception } from "../../traffic/interception.js";
import { answerOwnRequest, isOwnRequest, type OwnEndpoints } from "../../traffic/own-endpoints.js";
import { planNext } from "../../traffic/planned-cases.js";
import { createProxyServer } from "../../traffic/proxy-server.js";
import { requireOtherServer } from "../../traffic/require-other-server.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import type { VerifyReport } from "../../verify-report.js";
import { contractAtLevel } from "../contract-at-level.js";
import { readServerSettings } from "../server/read-server-settings.js";
import { serverBaseUrl } from "../server/server-urls.js";
import { apiPrefix } from "./decode-exchange.js";
import { createTrafficJudge, type TrafficOptions } from "./judge-traffic.js";
import { createStrainer, type StrainOptions } from "./provoke/create-strainer.js";
import { createPlannedAnswers } from "./provoke/planned-answers.js";

/** The server behind the proxy, and how to judge the traffic. */
export interface ProxyChatOptions extends ListenOptions, Omit<TrafficOptions, "level" | "target"> {
  /** The URL of the server's API, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The feature level whose contract applies. Defaults to the level that the server reports. */
  readonly level?: number;
  /** How long the server may take to report its level, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Limits of forwarding. Judges at most 1 MiB of a request and 8 MiB of a response by default; see `ForwarderLimits` for the others. */
  readonly limits?: Partial<ForwarderLimits>;
  /** A file that the traffic is recorded to, as HAR 1.2 with secrets masked. */
  readonly harFile?: string;
  /** Changes responses, and refuses some requests, to find out what the client cannot tolerate. */
  readonly strain?: StrainOptions;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: Check) => void;
  /** Called with each exchange and a mask of its secrets, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange, mask: Mask) => void;
}

/** A running proxy. `close` completes the recording; it rejects with a `CouldNotRunError` if that, or judging an exchange, failed. */
export interface ChatProxy extends Listening {
  /** The URL that clients call instead of the server's. */
  readonly apiUrl: string;
  /** The level whose contract applies. */
  readonly level: number;
  /** The seed of the strain, if there is one. */
  readonly seed?: number;
  /** The report of all exchanges so far. */
  readonly report: () => Promise<VerifyReport>;
}

/**
 * Starts a proxy in front of a chat server. It forwards requests and responses, and judges each of them by
 * the contract of the server's feature level.
 *
 * Rejects with a `CouldNotRunError` if the URL is malformed or the server does not report its level, and with a `ListenError`.
 */
export async function proxyChat(options: ProxyChatOptions): Promise<ChatProxy> {
  const { url, host = "127.0.0.1", timeoutMs = 30_000, onFinding, onExchange } = options;
  const base = serverBaseUrl(url);
  await requireOtherServer(new URL(base).origin, options);
  const level = options.level ?? (await readServerSettings(base, { timeoutMs })).level;
  const judge = await createTrafficJudge({ ...options, level, target: url });
  const { cases, validators } = await contractAtLevel(judge.level);
  const planned = createPlannedAnswers(cases);
  const strainer =
    options.strain === undefined ? undefined : createStrainer(judge.operations, validators, options.strain);
  const basePath = new URL(base).pathname.replace(/\/$/, "");
  const har =
    options.harFile === undefined
      ? undefined
      : createHarWriter(options.harFile, {
          origin: new URL(base).origin,
          version: packageVersion,
        });
  const queue = createJudgeQueue(async (exchange) => {
    for (const check of await judge.observe(exchange)) onFinding?.(check);
  });

  function intercept(request: IncomingMessage): Interception | undefined {
    if (strainer === undefined && !planned.hasAny()) return undefined;
    const path = request.url?.split("?", 1)[0] ?? "";
    const prefix = `${basePath}${apiPrefix}`;
    if (!path.startsWith(`${prefix}/`)) return undefined;
    const match = judge.operations.route(request.method ?? "GET", path.slice(prefix.length));
    if (match.kind !== "found") return undefined;
    const answer = planned.takeAnswer(match.operationId);
    if (answer !== undefined) return { answer, provoked: () => [`case ${answer.name}`] };
    const operation = judge.operations.operations.get(match.operationId);
    return operation === undefined ? undefined : strainer?.intercept(request, operation);
  }

  const forwarder = createForwarder({
    origin: new URL(base).origin,
    intercept,
    formatError: (msg) => ({ type: "application/json", text: JSON.stringify(errorEnvelope(msg, "PROXY_ERROR")) }),
    onExchange: (exchange) => {
      const mask = judge.masks.maskOf(exchange);
      onExchange?.(exchange, mask);
      har?.add(exchange, mask);
      queue.add(exchange);
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });

  async function report(): Promise<VerifyReport> {
    await queue.drain();
    const result = await judge.report();
    return options.strain === undefined ? result : { ...result, seed: options.strain.seed };
  }

  const endpoints: OwnEndpoints = {
    "GET /accord/report": async () => ({ status: 200, body: toJsonReport(await report()) }),
    "POST /accord/next": (body) =>
      planNext(planned, body, { success: { result: "success", msg: "" }, error: errorEnvelope }),
  };

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (!isOwnRequest(request)) return void forwarder.handle(request, response);
    void answerOwnRequest(request, response, { endpoints, error: errorEnvelope, host });
  }

  const server = createProxyServer(handle, (msg) => ({
    type: "application/json",
    text: JSON.stringify(errorEnvelope(msg)),
  }));
  const listening = await listen(server, options);
  return {
    url: listening.url,
    apiUrl: `${listening.url}${new URL(url).pathname.replace(/\/+$/, "")}`,
    level: judge.level,
    ...(options.strain === undefined ? {} : { seed: options.strain.seed }),
    report,
    close: async () => {
      await listening.close();
      forwarder.close();
      await har?.end();
      await queue.drain();
      queue.requireFaultless();
    },
  };
}
