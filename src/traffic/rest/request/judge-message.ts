import { isUtf8 } from "node:buffer";
import { percentDecodeBytes } from "../../../base/percent-decode.js";
import { areEmails, credentialFields } from "../../../contract/rest/conventions.js";
import type { LoginScheme } from "../../../contract/rest/security.js";
import { isInRange, mediaType } from "../../../http/media-type.js";
import { isSecretName } from "../../../judge/find-secret-fields.js";
import type { ReadExchange } from "../exchange/decode-exchange.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import type { JudgedRequest } from "./judged-request.js";

const [formType, multipartType] = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** Judges the media type of a body, and whether the body fits it. */
export function judgeMediaType({ exchange, find, show, quote }: JudgedRequest, operation: OperationAtLevel): void {
  const { body, recorded } = exchange;
  const { bodyBytes, headers } = recorded.request;
  if (bodyBytes === 0 || operation.beginsProtocol) return;
  // A recording that shows only that there was a body may omit its type as well.
  if (recorded.request.body === undefined && bodyBytes === 1 && headers["content-type"] === undefined) return;
  show("mediaType");
  const type = mediaType(headers["content-type"]);
  if (operation.method === "GET" && body.kind === "refused") {
    return void find(
      "place",
      "body",
      `a GET request has a body of type ${quote(type)}; its parameters belong in the query string`,
    );
  }
  const expected = operation.mediaType ?? formType;
  if (type === expected || operation.request.bodies?.some((body) => isInRange(type, body.type))) {
    if (type === formType && !isUtf8Form(exchange)) {
      find("type", "UTF-8", "the form is not in UTF-8, so characters outside ASCII are lost");
    }
    // The type is right, so something else is wrong, such as the boundary of the parts.
    if (body.kind === "refused") find("mediaType", "body", body.reason);
    return;
  }
  // Any form can carry the same fields, but only one kind is documented.
  if (operation.body === "form" && type === multipartType && body.kind !== "refused") {
    return void find("unsupported", "media type", `the body is ${type}; the contract documents ${expected}`);
  }
  const given = type === "" ? "the body has no Content-Type" : `the body is ${quote(type)}`;
  find("mediaType", type === "" ? "missing" : type.slice(0, 60), `${given}; it must be ${expected}`);
}

/** Finds a `#` in the path and query, which must be percent-encoded there (RFC 3986, section 2), and text that is not UTF-8. */
export function judgeEncoding({ exchange, find, show }: JudgedRequest): void {
  const { target } = exchange.recorded.request;
  show("encoding");
  if (target.includes("#")) {
    find("encoding", "#", "the URL has a #, where a server may cut it off; a # in a value is written as %23");
  }
  if (!isUtf8(percentDecodeBytes(target))) {
    find("encoding", "UTF-8", "the path or query is not in UTF-8, so characters outside ASCII are lost");
  }
}

/** Whether the percent-decoded bytes of a form are UTF-8. */
function isUtf8Form({ recorded }: ReadExchange): boolean {
  const { body } = recorded.request;
  return body === undefined || isUtf8(percentDecodeBytes(body));
}

/** Finds credentials in the query string or the authority of the target. */
export function judgeCredentialsInUrl(
  { exchange, find }: JudgedRequest,
  operation: OperationAtLevel | undefined,
): void {
  const { query, recorded } = exchange;
  const isDocumented = (name: string) =>
    operation?.parameters.some((one) => one.name === name) === true ||
    operation?.login.some((one) => one.kind === "key" && one.in === "query" && one.name === name) === true;
  for (const [name] of query) {
    if (!isSecretName(name) || isDocumented(name)) continue;
    const advice = "which logs and histories keep; send credentials in the Authorization header";
    find("credentialsInUrl", name, `the query string has ${name}, ${advice}`);
  }
  if (/^https?:\/\/[^/?#]*@/i.test(recorded.request.target)) {
    find("credentialsInUrl", "URL", "the URL has a user name or password; send these in the Authorization header");
  }
}

/** Judges whether a request that needs a login has credentials, and whether they are well-formed. */
export function judgeCredentials({ exchange, contract, find, show }: JudgedRequest, operation: OperationAtLevel): void {
  const { headers } = exchange.recorded.request;
  const { authorization } = headers;
  const isUnknown = authorization === undefined && exchange.recorded.redacted === true;
  // An operation that needs no login may get any credentials.
  if (isUnknown || !operation.needsLogin) return;
  show("credentials");
  if (!operation.login.some(({ kind }) => kind === "basic")) {
    for (const scheme of operation.login)
      if (!isSent(exchange, scheme)) find("credentials", "missing", missing(scheme));
    return;
  }
  const fields = credentialFields(contract.contract);
  const user = /^([^:]+):./s.exec(basicText(authorization))?.[1];
  if (user !== undefined && areEmails(fields) && !user.includes("@")) {
    find("credentials", "user", "the user name of the credentials is not an e-mail address");
  }
  // Browsers may send a session cookie in place of credentials.
  if (user !== undefined || (authorization === undefined && headers.cookie !== undefined)) return;
  if (authorization === undefined) {
    return void find("credentials", "missing", "the request has no credentials, but the operation needs a login");
  }
  const parts = `${fields.username} and ${fields.password}`.replaceAll("_", " ");
  const [scheme = ""] = authorization.split(/\s/, 1);
  if (scheme.toLowerCase() !== "basic") {
    const shown = /^[A-Za-z]{1,20}$/.test(scheme) ? scheme : "something else";
    return void find("credentials", "scheme", `Authorization must be Basic with ${parts}, not ${shown}`);
  }
  find("credentials", "form", `the credentials are not base64 of ${parts} with a colon between them`);
}

/** The text of Basic credentials (RFC 7617, in UTF-8). Empty if there is none. */
function basicText(authorization = ""): string {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? "";
  return Buffer.from(encoded, "base64").toString("utf8");
}

function isSent({ query, recorded }: ReadExchange, scheme: LoginScheme): boolean {
  const { headers } = recorded.request;
  if (scheme.kind !== "key") return /^Bearer +\S/i.test(headers.authorization ?? "");
  switch (scheme.in) {
    case "header":
      return headers[scheme.name.toLowerCase()] !== undefined || recorded.redacted === true;
    case "query":
      return query.some(([name]) => name === scheme.name);
    case "cookie":
      return (headers.cookie ?? "").split(/; */).some((pair) => pair.startsWith(`${scheme.name}=`));
  }
}

function missing(scheme: LoginScheme): string {
  if (scheme.kind !== "key") return "the operation needs a bearer token in the Authorization header";
  return `the operation needs an API key in the ${scheme.in} ${scheme.name}`;
}
