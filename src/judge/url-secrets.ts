import { percentDecode } from "../base/percent-decode.js";
import { redacted, redactUrl } from "../secrets/redact-url.js";
import { findSecretFields } from "./find-secret-fields.js";

/** A part of a URL that can hold a secret; `unsupported` is any part of a URL that no server can fetch. */
export type UrlPart =
  | "password"
  | "query-value"
  | "query-token"
  | "user-name"
  | "path"
  | "bare-query"
  | "fragment"
  | "nested-url"
  | "words"
  | "unsupported";

/** A secret of a URL, decoded, and the part that holds it. */
export interface UrlSecret {
  readonly part: UrlPart;
  readonly secret: string;
}

/** Shorter passwords and values would be found by accident. */
const minSecretLength = 6;
/** Shorter pieces of a URL are words, not tokens. */
const minTokenLength = 8;
/** Shorter pieces may mix letters and digits as names do. */
const minRandomLength = 10;
/** Names rarely change more often between digits, lower and upper case, however long they are. */
const manyChanges = 6;
/** Longer URLs are not split. */
const maxUrlLength = 16_384;
/** How many pieces of a URL reports mask, since each costs time in every text. */
const maxPieces = 200;

/**
 * The parts of a URL that look like secrets: a password, values whose key calls them a secret, and elsewhere whatever has at least eight
 * characters and a digit, as `words` unless it looks random. A URL that no server can fetch counts as a whole as `unsupported`.
 */
export function secretsOfUrl(url: string): UrlSecret[] {
  const text = url.slice(0, maxUrlLength);
  const found = partsOf(text, true);
  const isFetched = redactUrl(text) !== redacted || /^https?:\/\/[^/?#]*@/i.test(text);
  return isFetched ? found : found.map(({ secret }) => ({ part: "unsupported", secret }));
}

/** What reports mask of a URL: the URL, its credentials, path, query and fragment, and the pieces of these. */
export function piecesOfUrl(url: string): string[] {
  const text = url.slice(0, maxUrlLength);
  const [, authority = "", beyond = ""] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? ["", "", text];
  const userInfo = authority.slice(0, Math.max(authority.lastIndexOf("@"), 0));
  // What looks like a host may be a part of the credentials.
  const secret = redactUrl(text) === redacted ? `${authority}${beyond}` : `${userInfo}${beyond}`;
  const pieces = [secret, percentDecode(secret)].flatMap((whole) => whole.split(/[/\\?#@:&;]/));
  const values = pieces.map((piece) => piece.replace(/^[^=]*=(?=[^=])/, ""));
  const all = [url, beyond, userInfo, ...cut(userInfo, ":"), ...values].map(percentDecode);
  return [...new Set(all)].filter((piece) => !/^(https?)?$/.test(piece)).slice(0, maxPieces);
}

function partsOf(text: string, mayNest: boolean): UrlSecret[] {
  const [, authority = "", path = "", query = "", fragment = ""] =
    /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? [];
  const userInfo = authority.slice(0, Math.max(authority.lastIndexOf("@"), 0));
  const [userName = "", password = ""] = cut(userInfo, ":");
  return [
    ...secretsIn("password", [password], minSecretLength),
    ...secretsIn("user-name", withDigit([userName]), minTokenLength),
    ...tokensIn("path", path.split("/")),
    ...query.split("&").flatMap((pair) => partsOfPair(pair, mayNest)),
    ...tokensIn("fragment", [fragment, ...fragment.split(/[&=]/)]),
  ];
}

function partsOfPair(pair: string, mayNest: boolean): UrlSecret[] {
  if (!pair.includes("=")) return tokensIn("bare-query", [pair]);
  const [, value = ""] = cut(pair, "=");
  const decoded = percentDecode(value);
  if (decoded.includes("://")) {
    const nested = mayNest ? partsOf(decoded, false) : [];
    return nested.map(({ part, secret }) => ({ part: isOpenPart(part) ? part : "nested-url", secret }));
  }
  if (findSecretFields(pair).length > 0) return secretsIn("query-value", [value], minSecretLength);
  return tokensIn("query-token", [value]).filter(({ part }) => part !== "words");
}

/** Whether only a recommendation calls the part a secret, wherever the URL stands. */
function isOpenPart(part: UrlPart): boolean {
  return part === "user-name" || part === "words";
}

function tokensIn(part: UrlPart, pieces: readonly string[]): UrlSecret[] {
  return secretsIn(part, withDigit(pieces), minTokenLength).map(({ secret }) => ({
    part: looksRandom(secret) ? part : "words",
    secret,
  }));
}

function withDigit(pieces: readonly string[]): string[] {
  return pieces.filter((piece) => /\d/.test(percentDecode(piece)));
}

/**
 * Whether text is a random token rather than words and numbers: sixteen hex digits or more, a UUID, or characters that change often between
 * digits, lower case and upper case. `Frankfurt2026` changes once, `Zq8LhVw3NcT5` seven times.
 */
function looksRandom(text: string): boolean {
  if (/^([\da-f]{16,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(text))
    return /[a-f]/i.test(text) && /\d/.test(text);
  const changes = text.match(/\d(?=[a-z])|[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Z])/g) ?? [];
  const enough = Math.min(text.length / 3, manyChanges);
  return /^[\w.~=+-]*$/.test(text) && text.length >= minRandomLength && changes.length >= enough;
}

function secretsIn(part: UrlPart, pieces: readonly string[], minLength: number): UrlSecret[] {
  const decoded = pieces.map(percentDecode).filter(({ length }) => length >= minLength);
  return [...new Set(decoded)].map((secret) => ({ part, secret }));
}

function cut(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
