import { percentEncode } from "../../base/percent-encode.js";
import type { CredentialFields } from "../../contract/rest/conventions.js";
import type { LoginScheme } from "../../contract/rest/security.js";
import type { ReadyRequest } from "./send-request.js";

/** A request with the credentials of a caller, as each scheme carries them. Credentials without a field are sent without its value. */
export function withLogin(
  request: ReadyRequest,
  schemes: readonly LoginScheme[],
  credentials: Readonly<Record<string, unknown>>,
  fields: CredentialFields,
): ReadyRequest {
  return schemes.reduce((carrying, scheme) => carry(carrying, scheme, credentials, fields), request);
}

function carry(
  request: ReadyRequest,
  scheme: LoginScheme,
  credentials: Readonly<Record<string, unknown>>,
  fields: CredentialFields,
): ReadyRequest {
  const value = (name: string) => String(credentials[name] ?? "");
  const ownOr = (name: string) => value(credentials[scheme.id] === undefined ? name : scheme.id);
  const { headers } = request;
  switch (scheme.kind) {
    case "basic": {
      const authorization = basicCredentials(value(fields.username), value(fields.password));
      return { ...request, headers: { ...headers, Authorization: authorization } };
    }
    case "bearer":
      return { ...request, headers: { ...headers, Authorization: `Bearer ${ownOr(fields.token)}` } };
    case "key":
      return withKey(request, scheme, ownOr(fields.key));
  }
}

function withKey(request: ReadyRequest, { in: place, name }: LoginScheme & { kind: "key" }, key: string): ReadyRequest {
  const { headers } = request;
  switch (place) {
    case "header":
      return { ...request, headers: { ...headers, [name]: key } };
    case "cookie": {
      const cookie = [headers.Cookie ?? [], `${name}=${percentEncode(key)}`].flat().join("; ");
      return { ...request, headers: { ...headers, Cookie: cookie } };
    }
    case "query": {
      const url = new URL(request.url);
      url.searchParams.append(name, key);
      return { ...request, url: url.href };
    }
  }
}

/** Returns the `Authorization` header for HTTP Basic credentials (RFC 7617), encoded in UTF-8. */
export function basicCredentials(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
}
