import type { HttpPart, HttpRequest } from "../../../src/judge/http-message.js";
import { encode } from "../../../src/request/encode.js";
import type { Operation, Parameter } from "../../../src/request/operation.js";
import { type Filled, operationOf } from "./fields.js";

/** An e-mail address and an API key. If both are empty, the request has no credentials. */
export interface Credentials {
  readonly email: string;
  readonly apiKey: string;
}

/** Builds the request of an operation from a form. Throws a `TypeError` that names a path value which cannot be sent. */
export function buildRequest(
  operationId: string,
  server: string,
  filled: Filled,
  { email, apiKey }: Credentials,
): HttpRequest {
  const operation = operationOf(operationId);
  const { method, path, query, headers, body } = encode(takingTexts(operation), filled);
  const sendsKey = operation.auth !== false && (email !== "" || apiKey !== "");
  const shown = body?.kind === "content" ? String(body.content) : (body?.parts as readonly HttpPart[] | undefined);
  return {
    method,
    url: `${server}/api/v1${path}${query === "" ? "" : `?${query}`}`,
    headers: {
      ...headers,
      ...(sendsKey ? { Authorization: basicAuthorization(email, apiKey) } : {}),
      ...(body?.kind === "content" ? { "Content-Type": body.type } : {}),
    },
    body: shown,
  };
}

/** The same operation with plain texts: the form holds encoded values, which may be wrong on purpose. */
function takingTexts(operation: Operation): Operation {
  const plain = (all: readonly Parameter[]) => all.map(({ style: _, ...one }) => ({ ...one, json: false }));
  const bodies = operation.bodies?.map((body) => ({ ...body, fields: plain(body.fields) }));
  return { ...operation, parameters: plain(operation.parameters), ...(bodies && { bodies }) };
}

/** HTTP Basic credentials (RFC 7617), in UTF-8. */
function basicAuthorization(email: string, apiKey: string): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

/** Builds the call to an RPC over Connect, which is a POST of JSON. */
export function buildCall(path: string, server: string, json: string): HttpRequest {
  return {
    method: "POST",
    url: `${server}${path}`,
    headers: { "Content-Type": "application/json", "Connect-Protocol-Version": "1" },
    body: json,
  };
}
