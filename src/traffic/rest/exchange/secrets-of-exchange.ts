import type { Mask } from "../../../verify/excerpt.js";
import { isCredentialHeader, isMaskedName } from "../../../verify/find-secret-fields.js";
import { createRecentMask } from "../../judge/recent-mask.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";

/**
 * Creates a function that returns a mask of the secrets of a request and of recent ones, besides everything that is secret by its place. It
 * remembers them, because a later exchange may show them elsewhere.
 */
export function createExchangeMasks(): (exchange: Pick<RecordedExchange, "request">) => Mask {
  const maskOf = createRecentMask({ maxRemembered: 24, maxOfOne: 6 });
  return ({ request }) => maskOf(secretsOf(request));
}

/** Shorter texts in place of an address are too common to be keys. */
const minKeyLength = 12;

function secretsOf({ headers, target }: RecordedExchange["request"]): string[] {
  const { authorization = "", cookie = "" } = headers;
  // Without a scheme, the whole header is the key.
  const [, scheme = "", credentials = authorization] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === "basic";
  const [, user = "", key = ""] = isBasic
    ? (/^([^:]*):?(.*)$/s.exec(Buffer.from(credentials, "base64").toString("utf8")) ?? [])
    : ["", "", credentials];
  // Some clients send the key in place of the e-mail address.
  const misplaced = user.includes("@") || user.length < minKeyLength ? "" : user;
  const cookies = cookie.split(";").map((pair) => pair.replace(/^[^=]*=/, "").trim());
  const inQuery = [...new URLSearchParams(target.split("?", 2)[1] ?? "")].flatMap(([name, value]) =>
    isMaskedName(name) ? value : [],
  );
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    name !== "authorization" && name !== "cookie" && isCredentialHeader(name) ? value.replace(/^\S+\s+/, "") : [],
  );
  return [...new Set([credentials, key, misplaced, ...cookies, ...inQuery, ...inHeaders])].filter(
    (secret) => secret !== "",
  );
}
