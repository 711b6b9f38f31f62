import { chatAtLevel, readServerSettings, serverBaseUrl } from "../../../chat/verify.js";
import { errorEnvelope } from "../../../http/envelope-server.js";
import type { Listening, ListenOptions } from "../../../listen.js";
import type { ClientRequest } from "../forward/client-side.js";
import type { Interception } from "../forward/interception.js";
import { createPlannedCases } from "../planned-cases.js";
import { requireOtherServer } from "../require-other-server.js";
import { type ProxyOptions, type RunningProxy, startProxy } from "../start-proxy.js";
import { createChatTraffic } from "./chat-traffic.js";
import { apiPrefix } from "./decode-exchange.js";
import { createStrainer, type StrainOptions } from "./provoke/create-strainer.js";

/** The server behind the proxy, and how to judge the traffic. */
export interface ProxyChatOptions extends ListenOptions, ProxyOptions {
  /** The URL of the server's API, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The feature level whose contract applies. Defaults to the level that the server reports. */
  readonly level?: number;
  /** How long the server may take to report its level, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Changes responses, and refuses some requests, to find out what the client cannot tolerate. */
  readonly strain?: StrainOptions;
}

/** A running proxy. `close` completes the recording; it rejects with a `CouldNotRunError` if that, or judging an exchange, failed. */
export interface ChatProxy extends Listening, Pick<RunningProxy, "report"> {
  /** The URL that clients call instead of the server's. */
  readonly apiUrl: string;
  /** The level whose contract applies. */
  readonly level: number;
  /** The seed of the strain, if there is one. */
  readonly seed?: number;
}

/**
 * Starts a proxy in front of a chat server. It forwards requests and responses, and judges each of them by
 * the contract of the server's feature level.
 *
 * Rejects with a `CouldNotRunError` if the URL is malformed or the server does not report its level, and with a `ListenError`.
 */
export async function proxyChat(options: ProxyChatOptions): Promise<ChatProxy> {
  const { url, host, port = 0, timeoutMs = 30_000, strain, limits } = options;
  const { origin, pathname } = new URL(serverBaseUrl(url));
  await requireOtherServer(origin, options);
  const given = options.level ?? (await readServerSettings(serverBaseUrl(url), { timeoutMs })).level;
  const chat = await createChatTraffic(given, url);
  const { level, operations } = chat;
  const { cases, validators } = await chatAtLevel(level);
  const byName = new Map(cases.map((one) => [`${one.operationId}/${one.name}`, one]));
  const planned = createPlannedCases([...byName.keys()], "<operationId>/<case>, with a case of this feature level");
  const strainer = strain === undefined ? undefined : createStrainer(operations, validators, strain);
  const prefix = `${pathname.replace(/\/$/, "")}${apiPrefix}`;

  function intercept(request: ClientRequest): Interception | undefined {
    if (strainer === undefined && !planned.hasAny()) return undefined;
    const { method = "GET", url: target = "" } = request;
    const [path = ""] = target.split("?", 1);
    const match = operations.route(method, path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "");
    const operation = match.kind === "found" ? operations.operations.get(match.operationId) : undefined;
    if (operation === undefined) return undefined;
    const name = planned.take(operation.operationId) ?? "";
    const found = byName.get(name)?.response;
    if (found === undefined) return strainer?.intercept(method, target, operation);
    const { status, mediaType, body } = found;
    const headers: Record<string, string> = mediaType === undefined ? {} : { "Content-Type": mediaType };
    const text = body === undefined ? "" : JSON.stringify(body);
    return { answer: { status, headers, text }, provoked: () => [`case ${name}`] };
  }

  const seed = strain === undefined ? {} : { seed: strain.seed };
  const { addresses, report, close } = await startProxy(
    {
      contract: { ...chat, about: { ...chat.about, ...seed } },
      origin,
      limits,
      planned,
      intercept,
      refuse: (message, status) => ({
        status,
        headers: { "Content-Type": "application/json" },
        text: JSON.stringify(errorEnvelope(message, "PROXY_ERROR")),
      }),
      success: { result: "success", msg: "" },
      error: errorEnvelope,
    },
    options,
    { port, ...(host === undefined ? {} : { host }) },
  );
  const [own = ""] = addresses;
  return { url: own, apiUrl: `${own}${new URL(url).pathname.replace(/\/+$/, "")}`, level, ...seed, report, close };
}
