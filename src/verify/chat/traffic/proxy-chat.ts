import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope } from "../../../http/envelope-server.js";
import { type Listening, type ListenOptions, listen } from "../../../listen.js";
import type { Check } from "../../check.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import { toJsonReport } from "../../report/format-json.js";
import { escapeJson } from "../../report/visible-text.js";
import { createForwarder, type ForwarderLimits } from "../../traffic/create-forwarder.js";
import { createProxyServer } from "../../traffic/proxy-server.js";
import type { VerifyReport } from "../../verify-report.js";
import { readServerSettings } from "../server/read-server-settings.js";
import { serverOrigin } from "../server/server-urls.js";
import { createTrafficJudge, type TrafficOptions } from "./judge-traffic.js";
import type { RecordedExchange } from "./traffic.js";

/** The server behind the proxy, and how to judge the traffic. */
export interface ProxyChatOptions extends ListenOptions, Omit<TrafficOptions, "level" | "target"> {
  /** The URL of the server's API, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The feature level whose contract applies. Defaults to the level that the server reports. */
  readonly level?: number;
  /** How long the server may take to report its level, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<ForwarderLimits>;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: Check) => void;
  /** Called with each exchange, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange) => void;
}

/** A running proxy. */
export interface ChatProxy extends Listening {
  /** The URL that clients call instead of the server's. */
  readonly apiUrl: string;
  /** The level whose contract applies. */
  readonly level: number;
  /** The report of all exchanges so far. */
  readonly report: () => Promise<VerifyReport>;
}

/** The path that the proxy answers itself. */
const ownPath = "/accord/";

/**
 * Starts a proxy before a chat server. It forwards everything as it is, and judges each request and response by the contract of the
 * server's feature level.
 *
 * Rejects with a `CouldNotRunError` if the URL is malformed or the server does not report its level, and with a `ListenError`.
 */
export async function proxyChat(options: ProxyChatOptions): Promise<ChatProxy> {
  const { url, timeoutMs = 30_000, onFinding, onExchange } = options;
  const base = serverOrigin(url);
  const level = options.level ?? (await readServerSettings(base, { timeoutMs })).level;
  const judge = await createTrafficJudge({ ...options, level, target: url });
  let fault: unknown;
  const forwarder = createForwarder({
    origin: new URL(base).origin,
    formatError: (msg) => ({ type: "application/json", text: JSON.stringify(errorEnvelope(msg, "PROXY_ERROR")) }),
    onExchange: (exchange) => {
      onExchange?.(exchange);
      judge.observe(exchange).then(
        (checks) => {
          for (const check of checks) onFinding?.(check);
        },
        (error: unknown) => {
          fault ??= error;
        },
      );
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });

  async function report(): Promise<VerifyReport> {
    const result = await judge.report();
    if (fault === undefined) return result;
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new CouldNotRunError(`A fault of this package, not of the client, ended the judgement: ${reason}`);
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.startsWith(ownPath) !== true) return void forwarder.handle(request, response);
    answerOwn(request, response, report).catch((error: Error) => sendJson(response, 500, errorEnvelope(error.message)));
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
    report,
    close: async () => {
      await listening.close();
      forwarder.close();
    },
  };
}

async function answerOwn(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  report: () => Promise<VerifyReport>,
): Promise<void> {
  const path = url?.split("?", 1)[0];
  if (path === `${ownPath}report` && method === "GET") {
    return sendJson(response, 200, toJsonReport(await report()));
  }
  sendJson(response, 404, errorEnvelope(`The proxy itself answers only GET ${ownPath}report`));
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const text = escapeJson(JSON.stringify(value));
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}
