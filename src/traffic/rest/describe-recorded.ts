import { describeExchange } from "../../judge/describe-exchange.js";
import type { Mask } from "../../judge/excerpt.js";
import type { HttpPart, HttpRequest, HttpResponse } from "../../judge/http-message.js";
import type { ReportedExchange } from "../../report/model/check-result.js";
import type { ReadExchange } from "./exchange/decode-exchange.js";

/** Headers about the connection, or that every client sends; they say nothing about a finding. */
const dullHeaders: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "user-agent",
]);

/** Renders a recorded exchange with secrets masked. `origin` is that of the server. */
export async function describeRecorded(
  { recorded, body, answerText }: ReadExchange,
  origin: string,
  mask: Mask,
): Promise<ReportedExchange> {
  const { request, response } = recorded;
  const sent = requestBody(recorded.request.body, body);
  const shown: HttpRequest = {
    method: request.method,
    url: `${origin}${request.target}`,
    headers: withoutDull(request.headers),
    body: sent,
  };
  const answered: HttpResponse | undefined =
    response === undefined
      ? undefined
      : {
          status: response.status,
          headers: withoutDull(response.headers),
          text: answerText ?? `(${response.bodyBytes} bytes)`,
        };
  return describeExchange(shown, answered, mask);
}

function requestBody(bytes: Uint8Array | undefined, body: ReadExchange["body"]): HttpRequest["body"] | undefined {
  const message = body.kind === "read" ? body.message : undefined;
  if (message?.kind === "form" && message.files.length > 0) {
    const files = message.files.flatMap(([name, file]): HttpPart[] => (file instanceof File ? [[name, file]] : []));
    return [...message.fields.map(([name, text]): HttpPart => [name, text]), ...files];
  }
  return bytes === undefined || bytes.length === 0 ? undefined : Buffer.from(bytes).toString("utf8");
}

function withoutDull(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dullHeaders.has(name)));
}
