import type { Exchange } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import type { HttpRequest } from "../curl-line.js";
import { describeExchange } from "../describe-exchange.js";
import { jsonText } from "../json-text.js";
import type { StepOfRun } from "./evaluate.js";
import { partsOfStep } from "./parts-of-step.js";
import type { RespectStep } from "./respect-report.js";
import { type StepTarget, urlOfStep } from "./url-of-step.js";

/** A step as people read it. */
export async function exchangeOfStep(run: StepOfRun, target: StepTarget, mask: Mask): Promise<Exchange> {
  const { response } = run.step;
  const sent = await requestOf(run, target);
  const { statusCode, headers } = response;
  if (statusCode === 0) return describeExchange(sent, undefined, mask);
  const text = bodyText(response) ?? "(a body that redocly respect did not report)";
  return describeExchange(sent, { status: statusCode, headers, text }, mask);
}

/** The body of a response as text; undefined when it is not known. */
export function bodyText({ body, text }: RespectStep["response"]): string | undefined {
  if (text !== undefined || body === undefined) return text;
  return typeof body === "string" ? body : jsonText(body);
}

/** A request as it was sent: the report has its body decoded, and no URL when there was no answer that could be read. */
async function requestOf(run: StepOfRun, target: StepTarget): Promise<HttpRequest> {
  const { method, url, headers, body } = run.step.request;
  const named = Object.entries(headers).filter(([, value]) => typeof value === "string");
  const request = {
    method: method.toUpperCase(),
    url: url === "" ? urlOfStep(run, target) : url,
    headers: Object.fromEntries(named),
  };
  if (body === undefined || body === null) return request;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return { ...request, body: await partsOfStep(run) };
  if (type.startsWith("application/x-www-form-urlencoded") && typeof body === "object") {
    return {
      ...request,
      body: new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString(),
    };
  }
  return { ...request, body: typeof body === "string" ? body : JSON.stringify(body) };
}
