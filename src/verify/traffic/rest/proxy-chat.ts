import { errorEnvelope } from "../../../http/envelope-server.js";
import { readServerSettings } from "../../rest/server/read-server-settings.js";
import { serverBaseUrl } from "../../rest/server/server-urls.js";
import { requireOtherServer } from "../proxy/require-other-server.js";
import { chatAtLevel } from "./chat-source.js";
import { operationsAtLevel } from "./exchange/operations-at-level.js";
import { createStrainer, type StrainOptions } from "./provoke/create-strainer.js";
import { type ProxyRestOptions, proxyRest, type RestProxy, type RestProxyStyle } from "./proxy-rest.js";

/** The server behind the proxy, and how to judge the traffic. */
export interface ProxyChatOptions extends ProxyRestOptions {
  /** The feature level whose contract applies. Defaults to the level that the server reports. */
  readonly level?: number;
  /** How long the server may take to report its level, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Changes responses, and refuses some requests, to find out what the client cannot tolerate. */
  readonly strain?: StrainOptions;
}

/** A running proxy. */
export interface ChatProxy extends RestProxy {
  /** The level whose contract applies. */
  readonly level: number;
  /** The seed of the strain, if there is one. */
  readonly seed?: number;
}

/** The envelope of the API. */
const style: RestProxyStyle = {
  success: { result: "success", msg: "" },
  error: errorEnvelope,
  refuse: (message, status) => ({
    status,
    headers: { "Content-Type": "application/json" },
    text: JSON.stringify(errorEnvelope(message, "PROXY_ERROR")),
  }),
};

/**
 * Starts a proxy in front of a chat server. It forwards requests and responses, and judges each of them by
 * the contract of the server's feature level.
 *
 * Rejects with a `CouldNotRunError` if the URL is malformed or the server does not report its level, and with a `ListenError`.
 */
export async function proxyChat({ strain, timeoutMs = 30_000, ...options }: ProxyChatOptions): Promise<ChatProxy> {
  const base = serverBaseUrl(options.url);
  await requireOtherServer(new URL(base).origin, options);
  const source = await chatAtLevel(options.level ?? (await readServerSettings(base, { timeoutMs })).level);
  const { document, contract, level, validators } = source;
  if (strain === undefined) return { ...(await proxyRest(source, options, style)), level };
  const strainer = createStrainer(operationsAtLevel(document, contract, level), validators, strain);
  const seed = { seed: strain.seed };
  return { ...(await proxyRest(source, options, { ...style, strain: strainer }, seed)), level, ...seed };
}
