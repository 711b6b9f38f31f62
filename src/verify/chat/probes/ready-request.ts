import type { HttpPart, HttpRequest } from "../exchange/http-message.js";
import type { WireField, WireRequest } from "./wire-request.js";

/** Puts a request together. The path is below `/api/v1` of the server, its values percent-encoded. */
export function readyRequest(wire: WireRequest, baseUrl: string): HttpRequest {
  const path = wire.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(wire.path[name] ?? ""));
  const query = new URLSearchParams(texts(wire.query)).toString();
  const url = `${baseUrl.replace(/\/+$/, "")}/api/v1${path}${query === "" ? "" : `?${query}`}`;
  const body = bodyOf(wire);
  const headers = {
    ...Object.fromEntries(texts(wire.headers)),
    ...(wire.authorization === undefined ? {} : { Authorization: wire.authorization }),
    ...(body?.type === undefined ? {} : { "Content-Type": body.type }),
  };
  return { method: wire.method, url, headers, ...(body === undefined ? {} : { body: body.content }) };
}

function bodyOf({
  method,
  body,
  bodyAs,
}: WireRequest): { content: string | readonly HttpPart[]; type?: string } | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  if (bodyAs.kind === "raw") return { content: bodyAs.text, type: bodyAs.type };
  // The boundary and so the type of a multipart body is the sender's.
  if (bodyAs.kind === "multipart") return { content: body };
  if (body.length === 0) return undefined;
  const type = bodyAs.type ?? "application/x-www-form-urlencoded";
  return { content: new URLSearchParams(texts(body)).toString(), type };
}

function texts(fields: readonly WireField[]): [string, string][] {
  return fields.map(([name, value]) => [name, String(value)]);
}
