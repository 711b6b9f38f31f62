import { STATUS_CODES } from "node:http";
import type { ReportedExchange } from "../report/model/check-result.js";
import { curlLine } from "./curl-line.js";
import { excerpt, type Mask } from "./excerpt.js";
import { isCredentialHeader } from "./find-secret-fields.js";
import type { HttpPart, HttpRequest, HttpResponse } from "./http-message.js";
import { maskedText } from "./mask.js";

/** How many characters of a body are shown. */
const maxBodyLength = 4000;

/** Renders a request and its response, if any, as text. `mask` replaces secrets with `***`. */
export async function describeExchange(
  request: HttpRequest,
  response: HttpResponse | undefined,
  mask: Mask,
): Promise<ReportedExchange> {
  const { method, url, headers, body = "" } = request;
  const sent = typeof body === "string" ? body : body.map(describePart).join("\n");
  const exchange = {
    command: mask(await curlLine(request)),
    request: renderMessage(mask(`${method} ${url}`), headers, sent, mask),
  };
  if (response === undefined) return exchange;
  const { status, text } = response;
  const statusLine = [status, STATUS_CODES[status]].join(" ").trim();
  return { ...exchange, response: renderMessage(statusLine, response.headers, text, mask) };
}

function renderMessage(startLine: string, headers: Readonly<Record<string, string>>, body: string, mask: Mask): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    const masked = mask(`${name}: ${value}`);
    // Only here is it certain that a short name, such as `session`, is that of a header.
    const isShown = masked !== `${name}: ${value}` || !isCredentialHeader(name);
    return isShown ? masked : `${name}: ${maskedText}`;
  });
  const head = [startLine, ...lines].join("\n");
  return body === "" ? head : `${head}\n\n${excerpt(body, maxBodyLength, mask)}`;
}

function describePart([name, value]: HttpPart): string {
  if (typeof value === "string") return `${name}=${value}`;
  return `${name}: file ${JSON.stringify(value.name)}, ${value.type || "no type"}, ${value.size} bytes`;
}
