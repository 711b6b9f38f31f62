import { percentDecode } from "../../src/base/percent-decode.js";
import type { EncodedRequest } from "../../src/request/create-encode.js";
import type { MessageBody, RequestMessage } from "../../src/request/decode.js";
import type { Operation } from "../../src/request/operation.js";
import { textsOfQuery } from "../../src/request/style.js";
import { createRouter } from "../../src/server/rest/match-route.js";

/** The message that a server gets of an encoded request to an operation. */
export function receivedMessage(
  operation: Operation,
  { method, path, query, headers, body }: EncodedRequest,
): RequestMessage {
  const match = createRouter({ operation })(method, path);
  if (match.kind !== "found") throw new Error(`${method} ${path} leads to ${match.kind}`);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const type = body?.kind === "content" ? body.type : "multipart/form-data";
  return {
    path: Object.entries(match.rawPath).map(([name, raw]) => [name, percentDecode(raw), raw]),
    query: textsOfQuery(query),
    headers: { ...Object.fromEntries(lower), ...(body && { "content-type": type }) },
    body: body && bodyOf(body),
  };
}

function bodyOf(body: NonNullable<EncodedRequest["body"]>): MessageBody {
  if (body.kind === "parts") {
    const fields = body.parts.flatMap(([name, value]) => (value instanceof Blob ? [] : [[name, value] as const]));
    const files = body.parts.flatMap(([name, value]) => (value instanceof Blob ? [[name, value] as const] : []));
    return { kind: "form", fields, files };
  }
  const { type, content } = body;
  if (typeof content !== "string") throw new Error("Expected a text");
  if (type.includes("urlencoded")) return { kind: "form", fields: textsOfQuery(content), files: [] };
  return { kind: "bytes", bytes: new TextEncoder().encode(content) };
}
