import { STATUS_CODES } from "node:http";
import type { Exchange } from "../../check.js";
import { excerpt, type Mask } from "../../excerpt.js";
import { isCredentialHeader } from "../../find-secret-fields.js";
import { maskedText } from "../../mask.js";
import type { SetupCall } from "../states/states-client.js";
import { curlLine } from "./curl-line.js";
import type { HttpPart, HttpRequest, HttpResponse } from "./http-message.js";

/** How many characters of a body are shown. */
const maxBodyLength = 4000;

/** Renders a request and its response, if any, as text. `mask` replaces secrets with `***`. */
export async function describeExchange(
  request: HttpRequest,
  response: HttpResponse | undefined,
  mask: Mask,
): Promise<Exchange> {
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

/** A call, and the setups that precede it. */
export interface DescribedCall {
  readonly request: HttpRequest;
  /** Omitted if there was none. */
  readonly response?: HttpResponse;
  /** The setups of its provider states, in order. */
  readonly setups: readonly SetupCall[];
  /** The caller whose key was sent. Omitted for a call without a key, or with a key that no setup returned. */
  readonly caller?: string;
  readonly mask: Mask;
}

/** Renders the setups of a call, then the call itself. The command of the call says which key `***` stands for. */
export async function describeCalls({ request, response, setups, caller, mask }: DescribedCall): Promise<Exchange[]> {
  const before = await Promise.all(setups.map((setup) => describeExchange(setup.request, setup.response, mask)));
  const call = await describeExchange(request, response, mask);
  if (caller === undefined || before.length === 0) return [...before, call];
  return [...before, withKeyNote(call, caller)];
}

/** Says in the command of a call which key `***` stands for. */
export function withKeyNote(call: Exchange, caller: string): Exchange {
  const note = `*** is credentials.${caller}.api_key in the answer to POST /states; another setup has other ids`;
  return { ...call, command: `${call.command} # ${note}` };
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
