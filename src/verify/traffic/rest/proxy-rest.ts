import type { Listening, ListenOptions } from "../../../listen.js";
import type { ClientRequest } from "../forward/client-side.js";
import type { Interception, OwnAnswer } from "../forward/interception.js";
import { createPlannedCases } from "../proxy/planned-cases.js";
import { requireOtherServer } from "../proxy/require-other-server.js";
import { type ProxyOptions, type RunningProxy, startProxy } from "../proxy/start-proxy.js";
import type { OperationAtLevel } from "./exchange/operations-at-level.js";
import { createRestTraffic, type TrafficSource } from "./rest-traffic.js";

/** The server behind a proxy, where the proxy listens, and how to judge the traffic. */
export interface ProxyRestOptions extends ListenOptions, ProxyOptions {
  /** The URL of the server's API, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
}

/** A running proxy. `close` completes the recording; it rejects with a `CouldNotRunError` if that, or judging an exchange, failed. */
export interface RestProxy extends Listening, Pick<RunningProxy, "report"> {
  /** The URL that clients call instead of the server's. */
  readonly apiUrl: string;
}

/** What the responses of the proxy itself look like, and which of the server's it changes. */
export interface RestProxyStyle {
  /** The bodies of the responses of the proxy's own endpoints. */
  readonly success: object;
  readonly error: (message: string) => object;
  /** The response to a request that cannot be forwarded. */
  readonly refuse: (message: string, status: number) => OwnAnswer;
  /** Decides how to treat a call. Defaults to forwarding all of them unchanged. */
  readonly strain?: {
    readonly intercept: (method: string, target: string, operation: OperationAtLevel) => Interception;
  };
}

/** The style of an API whose contract fixes no form of errors: that of RFC 9457. */
export const problemStyle: RestProxyStyle = {
  success: {},
  error: (detail) => ({ title: "Bad request", detail }),
  refuse: (detail, status) => ({
    status,
    headers: { "Content-Type": "application/problem+json" },
    text: JSON.stringify({ title: "The proxy got no response", status, detail }),
  }),
};

/**
 * Starts a proxy in front of a server. It forwards requests and responses, and judges each of them by the contract. Rejects with a
 * `CouldNotRunError` if the proxy would forward to itself, and with a `ListenError`.
 */
export async function proxyRest(
  source: TrafficSource,
  { url, host, port = 0, ...options }: ProxyRestOptions,
  { strain, ...style }: RestProxyStyle = problemStyle,
  about: { readonly seed?: number } = {},
): Promise<RestProxy> {
  const { origin, pathname } = new URL(url);
  const address = { port, ...(host === undefined ? {} : { host }) };
  await requireOtherServer(origin, address);
  const { operations, prefix, ...contract } = createRestTraffic(source, url);
  const byName = new Map(source.cases.map((one) => [`${one.operationId}/${one.name}`, one]));
  const planned = createPlannedCases([...byName.keys()], "<operationId>/<case>, with a case of this feature level");

  function intercept({ method = "GET", url: target = "" }: ClientRequest): Interception | undefined {
    if (strain === undefined && !planned.hasAny()) return undefined;
    const [path = ""] = target.split("?", 1);
    const match = operations.route(method, path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "");
    const operation = match.kind === "found" ? operations.operations.get(match.operationId) : undefined;
    if (operation === undefined) return undefined;
    const name = planned.take(operation.operationId) ?? "";
    const found = byName.get(name)?.response;
    if (found === undefined) return strain?.intercept(method, target, operation);
    const { status, mediaType, body } = found;
    const headers: Record<string, string> = mediaType === undefined ? {} : { "Content-Type": mediaType };
    const text = body === undefined ? "" : JSON.stringify(body);
    return { answer: { status, headers, text }, provoked: () => [`case ${name}`] };
  }

  const judged = { ...contract, about: { ...contract.about, ...about } };
  const { limits } = options;
  const proxied = { contract: judged, origin, limits, planned, intercept, ...style };
  const { addresses, report, close } = await startProxy(proxied, options, address);
  const [own = ""] = addresses;
  return { url: own, apiUrl: `${own}${pathname.replace(/\/+$/, "")}`, report, close };
}
