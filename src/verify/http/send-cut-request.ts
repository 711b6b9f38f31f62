import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { userAgent } from "../../base/versions.js";
import type { ReadyRequest, SendLimits } from "./send-request.js";

/**
 * Announces the whole body of a request, sends only its first `length` bytes and cuts the connection. A server that ends the connection
 * first, or cannot be reached, is no error: the next request shows it.
 */
export async function sendCutRequest(
  { method, url, headers, bytes = Buffer.alloc(0) }: ReadyRequest,
  length: number,
  { timeoutMs, signal, pace }: SendLimits,
): Promise<void> {
  await pace?.(signal);
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  const outgoing = request(url, {
    method,
    headers: { "User-Agent": userAgent, ...headers, "Content-Length": bytes.length },
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  outgoing.on("error", () => {});
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  outgoing.write(bytes.subarray(0, length), () => outgoing.destroy());
  await closed;
}
