import { readCredentials } from "../../../../chat/server/credentials.js";
import { isSecretName } from "../../../find-secret-fields.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import type { JudgedRequest } from "./judged-request.js";

/** Finds credentials in the query string or the authority of the target. */
export function judgeCredentialsInUrl(
  { exchange, find }: JudgedRequest,
  operation: OperationAtLevel | undefined,
): void {
  const { query, recorded } = exchange;
  for (const [name] of query) {
    if (!isSecretName(name) || operation?.parameters.some((one) => one.name === name)) continue;
    const advice = "which logs and histories keep; send credentials in the Authorization header";
    find("credentialsInUrl", name, `the query string has ${name}, ${advice}`);
  }
  if (/^https?:\/\/[^/?#]*@/i.test(recorded.request.target)) {
    find("credentialsInUrl", "URL", "the URL has a user name or password; send these in the Authorization header");
  }
}

/** Judges whether a request that needs a login has credentials, and whether they are well-formed. */
export function judgeCredentials({ exchange, find, show }: JudgedRequest, operation: OperationAtLevel): void {
  const { headers } = exchange.recorded.request;
  const { authorization } = headers;
  const isUnknown = authorization === undefined && exchange.recorded.redacted === true;
  // An operation that needs no login may get any credentials.
  if (isUnknown || !operation.needsLogin) return;
  show("credentials");
  const credentials = readCredentials((name) => headers[name]);
  if (credentials?.kind === "basic" && !credentials.email.includes("@")) {
    find("credentials", "user", "the user name of the credentials is not an e-mail address");
  }
  if (credentials !== undefined) return;
  if (authorization === undefined) {
    return void find("credentials", "missing", "the request has no credentials, but the operation needs a login");
  }
  const [scheme = ""] = authorization.split(/\s/, 1);
  if (scheme.toLowerCase() !== "basic") {
    const shown = /^[A-Za-z]{1,20}$/.test(scheme) ? scheme : "something else";
    const problem = `Authorization must be Basic with an e-mail address and an API key, not ${shown}`;
    return void find("credentials", "scheme", problem);
  }
  find("credentials", "form", "the credentials are not base64 of an e-mail address, a colon and an API key");
}
