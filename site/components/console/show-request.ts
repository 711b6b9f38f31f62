import { curlLine } from "../../../src/judge/curl-line.js";
import type { HttpPart, HttpRequest } from "../../../src/judge/http-message.js";
import type { Answer } from "./send.js";

/** Renders a request as the lines of HTTP/1.1, without the headers that a browser adds. Hides the key unless asked for. */
export function formatRequest({ method, url, headers, body }: HttpRequest, showsKey: boolean): string {
  const { host, pathname, search } = new URL(url);
  const shown = Object.entries(headers).map(([name, value]) =>
    name === "Authorization" && !showsKey ? `${name}: Basic ***` : `${name}: ${value}`,
  );
  const parts = typeof body === "string" ? body : body?.map(formatPart).join("\n");
  const type = Array.isArray(body) ? ["Content-Type: multipart/form-data; boundary=…"] : [];
  const head = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...shown, ...type].join("\n");
  return parts === undefined || parts === "" ? head : `${head}\n\n${parts}`;
}

function formatPart([name, value]: HttpPart): string {
  if (typeof value === "string") return `${name}=${value}`;
  return `${name}: file ${JSON.stringify(value.name)}, ${value.type || "no type"}, ${value.size} bytes`;
}

/** Renders a response as the lines of HTTP, with JSON indented. */
export function formatAnswer({ status, statusText, headers, text }: Answer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const head = [`${status} ${statusText}`.trim(), ...lines].join("\n");
  return text === "" ? head : `${head}\n\n${indentJson(text)}`;
}

/** Indents JSON, unless that would change the digits of a number. */
function indentJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isExact = JSON.stringify(value) === withoutSpace(text);
    return isExact ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}

/** Removes insignificant white space of JSON. */
function withoutSpace(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string: string | undefined) => string ?? "");
}

/** The curl command of a request, with the key if asked for. */
export async function formatCurl(request: HttpRequest, showsKey: boolean): Promise<string> {
  return curlLine(request, { showsKey });
}
