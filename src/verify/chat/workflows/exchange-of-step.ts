import type { Exchange } from "../../check.js";
import type { HttpRequest } from "../curl-line.js";
import { describeExchange } from "../describe-exchange.js";
import { jsonText } from "../json-text.js";
import type { RespectStep } from "./respect-report.js";

/** A step as people read it. `respect` reports no URL when there was no answer that it could read; then `url` says it. */
export async function exchangeOfStep(
  { request, response }: RespectStep,
  url: () => string,
  mask: (text: string) => string,
): Promise<Exchange> {
  const sent = toRequest(request.url === "" ? { ...request, url: url() } : request);
  const { statusCode, headers } = response;
  if (statusCode === 0) return describeExchange(sent, undefined, mask);
  return describeExchange(sent, { status: statusCode, headers, text: bodyText(response) }, mask);
}

/** The body of a response as text again. */
export function bodyText({ body }: RespectStep["response"]): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : jsonText(body);
}

/** A request as it was sent: the report has its body decoded. */
function toRequest({ method, url, headers, body }: RespectStep["request"]): HttpRequest {
  const named = Object.entries(headers).filter(([, value]) => typeof value === "string");
  const request = { method: method.toUpperCase(), url, headers: Object.fromEntries(named) };
  if (body === undefined || body === null) return request;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded") && typeof body === "object") {
    return {
      ...request,
      body: new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString(),
    };
  }
  return { ...request, body: typeof body === "string" ? body : JSON.stringify(body) };
}
