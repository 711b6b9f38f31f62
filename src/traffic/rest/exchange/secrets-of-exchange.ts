import { percentDecode } from "../../../base/percent-decode.js";
import type { Mask } from "../../../judge/excerpt.js";
import { isCredentialHeader, isMaskedName } from "../../../judge/find-secret-fields.js";
import type { SecretPlaces } from "../../../secrets/secret-places.js";
import { createRecentMask } from "../../judge/recent-mask.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";

/**
 * Creates a function that returns a mask of the secrets of a request and of recent ones, besides everything that is secret by its place. It
 * remembers them, because a later exchange may show them elsewhere. `places` are those of the contract's API keys.
 */
export function createExchangeMasks(places: SecretPlaces): (exchange: Pick<RecordedExchange, "request">) => Mask {
  const maskOf = createRecentMask({ maxRemembered: 24, maxOfOne: 6, places });
  return ({ request }) => maskOf(secretsOf(request, places));
}

/** Shorter texts in place of an address are too common to be keys. */
const minKeyLength = 12;

function secretsOf({ headers, target }: RecordedExchange["request"], places: SecretPlaces): string[] {
  const { authorization = "", cookie = "" } = headers;
  // A repeated header is joined with commas.
  const given = [authorization, ...authorization.split(/,\s*(?=[\w-]+\s+\S)/)].flatMap(secretsOfCredentials);
  const cookies = cookie.split(";");
  const isDocumented = (pair: string) => places.cookies.includes(pair.split("=", 1).join().trim());
  const inCookies = [...cookies.filter(isDocumented), ...cookies].flatMap(valuesOf);
  const query = [...new URLSearchParams(target.split("?", 2)[1] ?? "")];
  const inQuery = (isSecret: (name: string) => boolean) =>
    query.flatMap(([name, value]) => (isSecret(name) ? value : []));
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    name !== "authorization" && name !== "cookie" && isCredentialHeader(name) ? value.replace(/^\S+\s+/, "") : [],
  );
  // What the contract names comes first, because only some are remembered.
  const documented = [
    ...places.headers.flatMap((name) => spellingsOf(headers[name] ?? "")),
    ...inQuery((name) => places.query.includes(name)),
  ];
  const all = [...documented, ...given, ...inCookies, ...inQuery(isMaskedName), ...inHeaders];
  return [...new Set(all)].filter((secret) => secret !== "");
}

/** The secrets of the header `Authorization`, of any scheme. */
function secretsOfCredentials(header: string): string[] {
  // Without a scheme, the whole header is the key.
  const [, scheme = "", credentials = header] = /^(\S+)\s+(.*)$/.exec(header) ?? [];
  // Some schemes carry several values, as Digest does.
  const quoted = [...credentials.matchAll(/[=\s,]"([^"]{12,})"/g)].map(([, value = ""]) => value);
  if (scheme.toLowerCase() !== "basic") return [credentials, ...quoted];
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const [, user = "", key = ""] = /^([^:]*):?(.*)$/s.exec(decoded) ?? [];
  // Some clients send the key in place of the e-mail address.
  return [credentials, key, user.includes("@") || user.length < minKeyLength ? "" : user];
}

/** The value of a cookie, as sent and decoded. */
function valuesOf(pair: string): string[] {
  const sent = pair.replace(/^[^=]*=/, "").trim();
  return [sent, percentDecode(sent.replace(/^"(.*)"$/, "$1"))];
}

/** A header as sent, each of several that were joined, and in UTF-8: Node reads bytes as Latin-1. */
function spellingsOf(value: string): string[] {
  return [value, ...value.split(", "), Buffer.from(value, "latin1").toString("utf8")];
}
