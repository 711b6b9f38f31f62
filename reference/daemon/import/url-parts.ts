import { domainToUnicode } from "node:url";
import { percentDecode } from "../../../src/base/percent-decode.js";

/** Panels quote pieces of a URL, so pieces of this length are compared. Shorter words count as a whole. */
const pieceLength = 8;
const minWordLength = 3;
const word = /[\p{L}\p{M}\p{N}]+/gu;
/** Common names of routes, formats, parameters and domains, which also occur in many titles. */
const commonWords = [
  "api app auth cdn cloud com dev info net online org site top www xyz",
  "clash client clients config convert converter dashboard download downloads feed file files flag flclash",
  "get http https index karing key link links list mihomo name nodes panel premium profile profiles provider proxies",
  "proxy public raw route server service services share sing box singbox stash sub store subs subscribe",
  "subscription subscriptions surge target token trojan type url user users v2ray v2rayn vless vmess vpn xray yaml",
].flatMap((line) => line.split(" "));
const common: ReadonlySet<string> = new Set([...commonWords, ...commonWords.flatMap(piecesOf)]);

/**
 * Creates a function that says whether a text of at most a few hundred characters shows a part of a URL or its
 * redirects, as written, decoded, or decoded from base64. Everything except the host of the first URL may be secret;
 * errors show that host. Marzban writes base64(`user,time`) into the path and the user name into the file name.
 */
export function showsPartOf([first, ...redirects]: readonly [URL, ...URL[]]): (text: string) => boolean {
  const isOpen = (found: string) => common.has(found) || first.hostname.includes(found);
  const hosts = redirects.flatMap(({ hostname }) => [hostname, domainToUnicode(hostname)]);
  const secret = fold([first, ...redirects].flatMap(spellingsOf).concat(hosts).join("\n"));
  const words = new Set(wordsOf(secret).filter((found) => !isOpen(found)));
  return (text) =>
    [text, percentDecode(text)].map(fold).some((spelling) => {
      const shown = piecesOf(spelling).filter((piece) => secret.includes(piece));
      return !shown.every(isOpen) || wordsOf(spelling).some((found) => words.has(found));
    });
}

function spellingsOf({ username, password, pathname, search, hash }: URL): string[] {
  const raw = [username, password, pathname, search, hash].join("\n");
  const plain = percentDecode(raw);
  const inBase64 = plain.match(/[\w+-]{8,}/g) ?? [];
  const basic = Buffer.from(percentDecode(`${username}:${password}`)).toString("base64");
  return [raw, plain, ...inBase64.map((text) => Buffer.from(text, "base64").toString("latin1")), basic];
}

/** Readers ignore letter case, width and invisible characters, so this removes them. Keeps line breaks. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/(?!\n)\p{C}/gu, "")
    .toLowerCase();
}

function wordsOf(text: string): string[] {
  return (text.match(word) ?? []).filter((found) => found.length >= minWordLength);
}

function piecesOf(text: string): string[] {
  const count = Math.max(text.length - pieceLength + 1, 0);
  return Array.from({ length: count }, (_, start) => text.slice(start, start + pieceLength));
}
