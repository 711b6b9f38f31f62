import type { IncomingMessage } from "node:http";
import type { ContractDocument, OperationObject } from "../../contract/rest/document.js";
import { type LoginScheme, loginOf, stranger } from "../../contract/rest/security.js";

/**
 * Whether a request carries what one of an operation's security requirements asks for, with any value but the secret of a
 * stranger. Pages may use a cookie instead of `Authorization`, as browsers send it by themselves.
 */
export function hasCredentials(
  document: ContractDocument,
  { security = document.security ?? [] }: OperationObject,
  { headers }: IncomingMessage,
  query: URLSearchParams,
  acceptsStrangers: boolean,
): boolean {
  if (security.length === 0) return true;
  return security.some((alternative) => {
    const { isRequired, schemes } = loginOf(document, { security: [alternative] });
    return !isRequired || schemes.every(isSent);
  });

  function isSent(scheme: LoginScheme): boolean {
    switch (scheme.kind) {
      case "basic":
        return isBasic(headers.authorization) ?? headers.cookie !== undefined;
      case "bearer":
        return headers.authorization === undefined
          ? headers.cookie !== undefined
          : isSecret(/^Bearer +(\S+)/i.exec(headers.authorization)?.[1]);
      case "key":
        switch (scheme.in) {
          case "header":
            return isSecret(headers[scheme.name.toLowerCase()]);
          case "query":
            return isSecret(query.get(scheme.name));
          case "cookie":
            return (headers.cookie ?? "")
              .split(/;\s*/)
              .some((pair) => pair.startsWith(`${scheme.name}=`) && isSecret(pair.slice(scheme.name.length + 1)));
        }
    }
  }

  /** Whether a header holds a user name and a password (RFC 7617, in UTF-8). Undefined without a header. */
  function isBasic(header: string | undefined): boolean | undefined {
    if (header === undefined) return undefined;
    const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(header)?.[1] ?? "";
    return isSecret(/^[^:]+:(.+)$/s.exec(Buffer.from(encoded, "base64").toString("utf8"))?.[1]);
  }

  function isSecret(value: string | readonly string[] | null | undefined): boolean {
    return value !== null && value !== undefined && (acceptsStrangers || value !== stranger.secret);
  }
}

/** Where an operation takes which credentials, for people. */
export function describeCredentials(
  document: ContractDocument,
  { security = document.security ?? [] }: OperationObject,
): string {
  const alternatives = security.map((alternative) =>
    loginOf(document, { security: [alternative] })
      .schemes.map((scheme) => {
        if (scheme.kind === "key") return `the ${scheme.in === "query" ? "query parameter" : scheme.in} ${scheme.name}`;
        return `the header Authorization: ${scheme.kind === "basic" ? "Basic" : "Bearer"} …`;
      })
      .join(" and "),
  );
  return `send ${alternatives.filter((text) => text !== "").join(", or ")}`;
}
