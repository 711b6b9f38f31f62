import { domainToUnicode } from "node:url";
import type { SubscriptionUrl } from "../../../../src/daemon/subscription-url.js";
import { percentDecodeBytes } from "../../../../src/percent-decode.js";

/** The parts of URLs that may be secret. */
export interface SecretParts {
  /**
   * Whether a text of a few hundred characters contains a secret part, or a substantial piece of one, in any spelling.
   */
  readonly showIn: (text: string) => boolean;
}

/**
 * The length of the pieces that are compared. Panels quote pieces of a URL, so searching for whole parts would miss
 * them.
 */
const pieceLength = 8;
/** Shorter words are not secret. Words from this length to below `pieceLength` count only if they are whole words of the URL. */
const minWordLength = 3;
/** Common names of routes, formats, parameters and domains, which also occur in many titles. */
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
 * Collects the parts of a subscription URL and its redirects that may be secret: everything except the host of the
 * first URL, as written, decoded, and decoded from base64. Panels repeat them in headers: Marzban writes
 * base64(`user,time`) into the path and the user name into the file name. Text that is also in the host of the first
 * URL does not count, because errors show that host. The hosts of redirects count, because they appear nowhere else.
 */
export function secretParts(url: SubscriptionUrl, redirects: readonly SubscriptionUrl[]): SecretParts {
  const [first, others] = [url.reveal(), redirects.map((redirect) => redirect.reveal())];
  const shown = first.hostname;
  const secret = fold([first, ...others].flatMap(spellings).concat(others.flatMap(hostSpellings)).join("\n"));
  const showsPiece = (piece: string) => !commonPieces.has(piece) && !shown.includes(piece) && secret.includes(piece);
  const showsWord = (word: string) => {
    const isShort = word.length >= minWordLength && word.length < pieceLength;
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

/** Readers ignore letter case, width and invisible characters, so this removes them. Keeps line breaks. */
function fold(text: string): string {
  const isPlain = /^[\n -~]*$/.test(text);
  return (isPlain ? text : text.normalize("NFKC").replace(/(?!\n)\p{C}/gu, "")).toLowerCase();
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(text.length - pieceLength + 1, 0) }, (_, at) =>
    text.slice(at, at + pieceLength),
  );
}

/** The text itself, and each word of it. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/\s+/), ...text.split(/[^\p{L}\p{M}\p{N}]+/u)];
}

/** Whether a text contains a word without adjacent letters or digits. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = (text[at - 1] ?? "") + (text[at + word.length] ?? "");
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
