import { STATUS_CODES } from "node:http";
import type { Exchange } from "../check.js";
import { excerpt, type Mask } from "../excerpt.js";
import { curlLine, type HttpPart, type HttpRequest } from "./curl-line.js";

/** A response, for people. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** As much as is shown of one body. */
const longestBody = 4000;

/** A request and its response, if there was one, as text for people. `mask` puts `***` in the place of secrets. */
export async function describeExchange(
  request: HttpRequest,
  response: HttpResponse | undefined,
  mask: Mask,
): Promise<Exchange> {
  const { method, url, headers, body = "" } = request;
  const sent = typeof body === "string" ? body : body.map(describePart).join("\n");
  const exchange = {
    command: mask(await curlLine(request)),
    request: message(mask(`${method} ${url}`), headers, sent, mask),
  };
  if (response === undefined) return exchange;
  const { status, text } = response;
  const statusLine = [status, STATUS_CODES[status]].join(" ").trim();
  return { ...exchange, response: message(statusLine, response.headers, text, mask) };
}

function message(startLine: string, headers: Readonly<Record<string, string>>, body: string, mask: Mask): string {
  const lines = Object.entries(headers).map(([name, value]) => mask(`${name}: ${value}`));
  const head = [startLine, ...lines].join("\n");
  return body === "" ? head : `${head}\n\n${excerpt(body, longestBody, mask)}`;
}

function describePart([name, value]: HttpPart): string {
  if (typeof value === "string") return `${name}=${value}`;
  return `${name}: file ${JSON.stringify(value.name)}, ${value.type || "no type"}, ${value.size} bytes`;
}
