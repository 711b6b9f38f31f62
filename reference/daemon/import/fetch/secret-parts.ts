import { domainToUnicode } from "node:url";
import type { SubscriptionUrl } from "../../../../src/daemon/subscription-url.js";
import { percentDecodeBytes } from "../../../../src/percent-decode.js";

/** What may be secret in URLs. */
export interface SecretParts {
  /** Whether a text of a few hundred characters shows a part of it, or a good piece of one, in whatever spelling. */
  readonly showIn: (text: string) => boolean;
}

/** The length of the pieces that are compared. Panels repeat pieces of a URL, so it is not enough to search for whole parts of it. */
const pieceLength = 8;
/** Shorter words are no secrets; those in between count when they are words in the URL, too. */
const shortestWord = 3;
/** What routes, formats, parameters and domains are called everywhere, and is also a part of many titles. */
const commonWords: ReadonlySet<string> = new Set(
  [
    "api app auth cdn cloud com dev info net online org site top www xyz",
    "clash client clients config convert converter dashboard download downloads feed file files flag flclash",
    "get http https index karing key link links list mihomo name nodes panel premium profile profiles provider proxies",
    "proxy public raw route server service services share sing-box singbox stash sub sub-store subs subscribe",
    "subscription subscriptions surge target token trojan type url user users v2ray v2rayn vless vmess vpn xray yaml",
  ].flatMap((line) => line.split(" ")),
);
const commonPieces: ReadonlySet<string> = new Set([...commonWords].flatMap(piecesOf));

/**
 * Collects what may be secret in the URL of a subscription and those that it redirected to: all but the host of the first, as it
 * stands, decoded, and what base64 in it says. Panels repeat it in headers: Marzban writes base64(`user,time`) into the path and the
 * user name into the file name. What is also in the host of the first URL is shown along with it anyway and does not count; nothing
 * else shows where it redirected to, so those hosts count.
 */
export function secretParts(url: SubscriptionUrl, redirects: readonly SubscriptionUrl[]): SecretParts {
  const [first, others] = [url.reveal(), redirects.map((redirect) => redirect.reveal())];
  const shown = first.hostname;
  const secret = fold([first, ...others].flatMap(spellings).concat(others.flatMap(hostSpellings)).join("\n"));
  const showsPiece = (piece: string) => !commonPieces.has(piece) && !shown.includes(piece) && secret.includes(piece);
  const showsWord = (word: string) => {
    const isShort = word.length >= shortestWord && word.length < pieceLength;
    return isShort && !commonWords.has(word) && !shown.includes(word) && hasWord(secret, word);
  };
  return {
    showIn: (text) =>
      [text, decoded(text)].map(fold).some((it) => piecesOf(it).some(showsPiece) || wordsOf(it).some(showsWord)),
  };
}

function spellings({ username, password, pathname, search, hash }: URL): string[] {
  const raw = [username, password, pathname, search, hash].join("\n");
  const plain = decoded(raw);
  const inBase64 = plain.match(/[\w+-]{8,}/g) ?? [];
  const basic = Buffer.from(decoded(`${username}:${password}`)).toString("base64");
  return [raw, plain, ...inBase64.map((text) => Buffer.from(text, "base64").toString("latin1")), basic];
}

function hostSpellings({ hostname }: URL): string[] {
  return [hostname, domainToUnicode(hostname)];
}

function decoded(text: string): string {
  return percentDecodeBytes(text).toString("utf8");
}

/** Letter case, width and invisible characters make no difference to who reads. Lines stay lines. */
function fold(text: string): string {
  const isPlain = /^[\n -~]*$/.test(text);
  return (isPlain ? text : text.normalize("NFKC").replace(/(?!\n)\p{C}/gu, "")).toLowerCase();
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(text.length - pieceLength + 1, 0) }, (_, at) =>
    text.slice(at, at + pieceLength),
  );
}

/** The text, and the words in it. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/\s+/), ...text.split(/[^\p{L}\p{M}\p{N}]+/u)];
}

/** Whether a text has a word with no letter or digit before or after it. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = (text[at - 1] ?? "") + (text[at + word.length] ?? "");
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
