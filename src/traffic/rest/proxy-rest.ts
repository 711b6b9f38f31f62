import type { Listening, ListenOptions } from "../../base/listen.js";
import { requireInteger } from "../../base/require-integer.js";
import { basePath } from "../../contract/rest/base-path.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { apiUrl } from "../../http/api-url.js";
import { createErrorBody } from "../../mock/rest/error-body.js";
import { readLevel } from "../../verify/rest/read-level.js";
import type { ClientRequest } from "../forward/client-side.js";
import type { Interception } from "../forward/passage.js";
import { createPlannedCases } from "../proxy/planned-cases.js";
import { type ProxyOptions, type RunningProxy, requireOtherServer, startProxy } from "../proxy/start-proxy.js";
import { createStrainer, type StrainOptions } from "./provoke/create-strainer.js";
import { atLevel, createRestTraffic } from "./rest-traffic.js";

/** The server behind the proxy, and how to judge the traffic. */
export interface ProxyRestOptions extends ListenOptions, ProxyOptions {
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
export interface RestProxy extends Listening, Pick<RunningProxy, "report"> {
  /** The URL that clients call instead of the server's. */
  readonly apiUrl: string;
  /** The level whose contract applies. */
  readonly level: number;
  /** The seed of the strain, if there is one. */
  readonly seed?: number;
}

/**
 * Starts a proxy in front of a server. It forwards requests and responses, and judges each of them by the contract of the server's
 * feature level.
 *
 * Rejects with a `CouldNotRunError` if the URL is malformed or the server does not report its level, and with a `ListenError`.
 */
export async function proxyRest(source: RestContract, options: ProxyRestOptions): Promise<RestProxy> {
  const { host, port = 0, timeoutMs = 30_000, strain, limits } = options;
  const { name, document, newestLevel } = source;
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const url = apiUrl(options.url, { name, path: basePath(document), servers: document.servers });
  const { origin, pathname } = new URL(url);
  const address = { port, host };
  await requireOtherServer(origin, address);
  const contract = atLevel(source, options.level ?? (await readLevel(source, url, { timeoutMs })).level);
  const { level, operations, cases, validators } = contract;
  const traffic = createRestTraffic(source, contract, url);
  const byName = new Map(cases.map((one) => [`${one.operationId}/${one.name}`, one]));
  const planned = createPlannedCases([...byName.keys()], "<operationId>/<case>, with a case of this feature level");
  const strainer = strain === undefined ? undefined : createStrainer(operations, validators, strain);
  const prefix = pathname === "/" ? "" : pathname;

  function intercept({ method = "GET", url: target = "" }: ClientRequest): Interception | undefined {
    if (strainer === undefined && !planned.hasAny()) return undefined;
    const [path = ""] = target.split("?", 1);
    const match = operations.route(method, path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "");
    const operation = match.kind === "found" ? operations.operations.get(match.operationId) : undefined;
    if (operation === undefined) return undefined;
    const planning = planned.take(operation.operationId) ?? "";
    const found = byName.get(planning)?.response;
    if (found === undefined) return strainer?.intercept(method, target, operation);
    const { status, mediaType, body } = found;
    const headers: Record<string, string> = mediaType === undefined ? {} : { "Content-Type": mediaType };
    const text = body === undefined ? "" : JSON.stringify(body);
    return { answer: { status, headers, text }, provoked: () => [`case ${planning}`] };
  }

  const errorBody = createErrorBody(document);
  const seed = strain === undefined ? {} : { seed: strain.seed };
  const { addresses, report, close } = await startProxy(
    {
      contract: { ...traffic, about: { ...traffic.about, ...seed } },
      origin,
      limits,
      planned,
      intercept,
      refuse: (message, status) => {
        const { mediaType, body } = errorBody(status, message, "PROXY_ERROR");
        return { status, headers: { "Content-Type": mediaType }, text: JSON.stringify(body) };
      },
      success: {},
      error: (message) => errorBody(400, message).body,
    },
    options,
    address,
  );
  const [own = ""] = addresses;
  return { url: own, apiUrl: `${own}${prefix}`, level, ...seed, report, close };
}
