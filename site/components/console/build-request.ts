import { encodeRequest } from "../../../src/chat/codec/encode-request.js";
import type { Operation, ParameterKind } from "../../../src/chat/operation.js";
import type { HttpPart, HttpRequest } from "../../../src/judge/http-message.js";
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
  const headers = Object.fromEntries(
    Object.keys(operation.headers ?? {}).flatMap((name) => {
      const value = filled[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  const values = Object.fromEntries(Object.entries(filled).filter(([name]) => !Object.hasOwn(headers, name)));
  const { method, path, query, body } = encodeRequest(takingTexts(operation), values);
  const sendsKey = operation.auth !== false && (email !== "" || apiKey !== "");
  const isForm = body instanceof URLSearchParams;
  return {
    method,
    url: `${server}/api/v1${path}${query === "" ? "" : `?${query}`}`,
    headers: {
      ...headers,
      ...(sendsKey ? { Authorization: basicAuthorization(email, apiKey) } : {}),
      ...(isForm ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body.toString() : ([...body] as HttpPart[]) }),
  };
}

/** The same operation with strings as parameters: the form holds encoded values, which may be wrong on purpose. */
function takingTexts({ parameters, ...operation }: Operation): Operation {
  const kinds = Object.entries(parameters).map(([name, kind]): [string, ParameterKind] => [
    name,
    kind === "file" ? kind : "string",
  ]);
  return { ...operation, parameters: Object.fromEntries(kinds) };
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
