import { createSecret, type Secret } from "../../secrets/secret.js";
import { refuse } from "./refusal.js";

/** The credentials of a request. */
export type Credentials =
  | { readonly kind: "basic"; readonly email: string; readonly apiKey: Secret }
  | { readonly kind: "cookie"; readonly cookie: Secret };

/**
 * Reads the credentials of a request: HTTP Basic (RFC 7617, in UTF-8) with an e-mail address and an API key, or else a cookie.
 * Undefined if they are missing or malformed; a cookie does not make up for a malformed Authorization.
 */
export function readCredentials(header: (name: string) => string | undefined): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(header("authorization") ?? "")?.[1];
  const cookie = header("cookie");
  if (encoded !== undefined) {
    const [email = "", ...key] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    if (email !== "" && key.join(":") !== "") return { kind: "basic", email, apiKey: createSecret(key.join(":")) };
  }
  return cookie === undefined || header("authorization") !== undefined
    ? undefined
    : { kind: "cookie", cookie: createSecret(cookie) };
}

/** The refusal of a request without valid credentials (Authentication 4). */
export function notLoggedIn() {
  const msg = "Not logged in: API authentication or user session required";
  return refuse(401, { code: "UNAUTHORIZED", msg }, { "WWW-Authenticate": 'Basic realm="chat"' });
}
