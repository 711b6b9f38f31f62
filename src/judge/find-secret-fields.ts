import { type TextRange, utf8Bytes } from "../secrets/decoded-views.js";
import type { SecretPlaces } from "../secrets/secret-places.js";

/** Matches the names of fields and headers that hold secrets, by their end. */
const certainName =
  /(?:authorization|cookie|api[-_]?key|password|passwd|passphrase|token|secret|private[-_]?key|access[-_]?key|auth(?:[-_]?key)?|pass|signature|session[-_]?id|reg(?:istration)?[-_]?id|push[-_]?registration)$/i;

/** Matches names whose values may be secret, such as `key` and the signature of a signed URL, but not those of public keys. */
const possibleName = /(?:(?:^|[-_])sig|(?:^|(?<!public)[-_])key)$/i;

/** Whether a field's name means that its value is certainly a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= maxNameLength && certainName.test(name);
}

/** Whether reports mask the value of a field because of its name. */
export function isMaskedName(name: string): boolean {
  return isSecretName(name) || (name.length <= maxNameLength && possibleName.test(name));
}

/** Matches words in the names of headers that hold credentials, wherever they stand. */
const credentialWord =
  /auth(?!or)|token|bearer|dpop|secret|session|cookie|pass(?:wo?r?d|phrase)|credential|csrf|xsrf|jwt|saml|oidc|assertion|(?:^|[-_])(?:sid|otp|pin|pwd|ticket)(?:$|[-_])/i;
/** Headers that match it and hold no secret (RFC 9110, section 11.6.1; Fetch, section 3.3). */
const publicHeader = /^(?:(?:www|proxy)-authenticate$|access-control-|sec-fetch-)/i;

/** Whether a header looks like one that holds a credential. */
export function isCredentialHeader(name: string): boolean {
  return name.length <= maxNameLength && (isMaskedName(name) || credentialWord.test(name)) && !publicHeader.test(name);
}

/** Names that only headers have, so that they are headers anywhere in a line. */
const headerNames: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/** Longer words are not names. */
const maxNameLength = 100;

/**
 * Finds the values of headers, form fields and JSON members that are secret by their name, and credentials in URLs and of curl.
 * `text` may be UTF-8 bytes, one character for each; that is why no pattern uses `\s`, which matches one of these bytes.
 */
export function findSecretFields(text: string): TextRange[] {
  const found: TextRange[] = [];
  const words = /[A-Za-z0-9_-]+/g;
  for (let word = words.exec(text); word !== null; word = words.exec(text)) {
    const [name] = word;
    if (!isFollowedByValue(text, words.lastIndex)) continue;
    const isHeader = text[words.lastIndex] === ":";
    if (!(isHeader ? isCredentialHeader(name) : isMaskedName(name))) continue;
    const range = valueAfter(text, name.toLowerCase(), word.index, words.lastIndex);
    if (range === undefined) continue;
    found.push(range);
    // The value is masked, whatever it contains.
    words.lastIndex = range.end;
  }
  return [...found, ...findCredentials(text)];
}

/** Creates a function that finds the values of headers, also as members of JSON, and of query parameters with the given names. */
export function createPlaceFinder({ headers, query }: SecretPlaces): (text: string) => TextRange[] {
  const header = namesPattern(headers, `(?<=^|[\\r\\n"']|[<>] )`, `(?="?[\\t ]*:)`, "gi");
  const parameter = namesPattern(query, "(?<=^|[?&\"' ])", "=", "gi");
  return (text) => {
    const found: (TextRange | undefined)[] = [];
    for (const { 0: name, index } of header === undefined ? [] : text.matchAll(header)) {
      const [before, end] = [text.charAt(index - 1), index + name.length];
      const start = text.indexOf(":", end) + 1;
      if (text[end] === '"') found.push(memberValue(text, end + 1));
      else found.push(headerValue(text, start, isQuote(before) ? before : undefined));
    }
    for (const { 0: name, index } of parameter === undefined ? [] : text.matchAll(parameter))
      found.push(formValue(text, index + name.length, text.charAt(index - 1)));
    return found.filter((range) => range !== undefined);
  };
}

function namesPattern(names: readonly string[], before: string, after: string, flags: string): RegExp | undefined {
  if (names.length === 0) return undefined;
  const escaped = names.map((name) => utf8Bytes(name).replace(/[^A-Za-z0-9_]/g, "\\$&"));
  return new RegExp(`${before}(?:${escaped.join("|")})${after}`, flags);
}

function isFollowedByValue(text: string, at: number): boolean {
  const next = text[at];
  return next === "=" || next === ":" || next === '"';
}

function valueAfter(text: string, name: string, start: number, end: number): TextRange | undefined {
  const before = text.charAt(start - 1);
  if (before === '"' && text[end] === '"') return memberValue(text, end + 1) ?? partValue(text, start, end + 1);
  if (text[end] === "=") return formValue(text, end + 1, before);
  if (text[end] !== ":") return undefined;
  const startsLine = start === 0 || /^[\n\r]$/.test(before) || /^[<>] $/.test(text.slice(start - 2, start));
  // A sentence about a field may also begin with its name, so other headers are recognized by a hyphen.
  // A text in JSON may begin with a word such as "session".
  if (before === '"' && !isMaskedName(name)) return undefined;
  const quote = isQuote(before) ? before : undefined;
  const isHeader = quote !== undefined || headerNames.has(name) || (startsLine && text.slice(start, end).includes("-"));
  if (!isHeader) return undefined;
  return headerValue(text, end + 1, quote);
}

/** A header ends with its line or with its closing quote. The scheme of credentials is not secret. */
function headerValue(text: string, from: number, quote: Quote | undefined): TextRange | undefined {
  const scheme = match(/[ \t]*(?:(?:Basic|Bearer|Digest|Negotiate)[ \t]+)?/iy, text, from);
  const start = from + scheme.length;
  const end = quote === undefined ? indexOfAny(text, /[\r\n]/g, start) : endOfQuoted(text, quotedText[quote], start);
  return nonEmpty(start, end);
}

function formValue(text: string, start: number, before: string): TextRange | undefined {
  if (!isQuote(before)) return nonEmpty(start, indexOfAny(text, /[&\t-\r "']/g, start));
  return nonEmpty(start, endOfQuoted(text, quotedField[before], start));
}

/** The string or number that is the value of a JSON member. */
function memberValue(text: string, from: number): TextRange | undefined {
  const colon = match(/[\t-\r ]*:[\t-\r ]*/y, text, from);
  if (colon === "") return undefined;
  const at = from + colon.length;
  if (text[at] !== '"') {
    const number = match(/-?[0-9][0-9.eE+-]*/y, text, at);
    return nonEmpty(at, at + number.length);
  }
  return nonEmpty(at + 1, endOfQuoted(text, quotedText['"'], at + 1));
}

/** The content of a part of `multipart/form-data` (RFC 7578), after the name of the part. */
function partValue(text: string, start: number, from: number): TextRange | undefined {
  if (text.slice(start - 6, start) !== 'name="') return undefined;
  const headers = match(/[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n/y, text, from);
  if (headers === "") return undefined;
  const valueStart = from + headers.length;
  return nonEmpty(valueStart, indexOfAny(text, /\r?\n--/g, valueStart));
}

type Quote = '"' | "'";

function isQuote(character: string): character is Quote {
  return character === '"' || character === "'";
}

/** Match the end of a quoted text, and its escapes, to skip them. In the single quotes of a shell, a quote is written as `'\''`. */
const quotedText: Readonly<Record<Quote, RegExp>> = { '"': /\\.|"/gs, "'": /'\\''|'/g };
/** The same for a form, whose fields also end at `&`; a backslash does not escape it. */
const quotedField: Readonly<Record<Quote, RegExp>> = { '"': /\\[^&]|["&]/g, "'": /'\\''|['&]/g };

/** The index of the end of a quoted text. Reads no further, so that a text of many fields is read only once. */
function endOfQuoted(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start;
  let found = pattern.exec(text);
  // An end is one character, an escape is longer.
  while (found !== null && found[0].length > 1) found = pattern.exec(text);
  return found?.index ?? text.length;
}

/** Finds passwords in URLs (RFC 3986, section 3.2.1) and of `curl -u`, and credentials after `Basic`. */
function findCredentials(text: string): TextRange[] {
  const inUrls = [...text.matchAll(/:\/\/[^\t-\r /?#@:"']*:([^\t-\r /?#@"']+)@/g)].map((found) => group(found, 1));
  const ofCurl = [...text.matchAll(/(?:^|[\t-\r ])(?:-u|--user)(?:[ =]'?|')[^\t-\r ':]+:([^\t-\r ']+)/g)].map((found) =>
    group(found, 1),
  );
  const basic = [...text.matchAll(/\bBasic[ \t]{1,9}([A-Za-z0-9+/_-]{4,}={0,2})/gi)]
    .filter(([, credentials = ""]) => Buffer.from(credentials, "base64").includes(":"))
    .map((found) => group(found, 1));
  return [...inUrls, ...ofCurl, ...basic];
}

function group(found: RegExpExecArray, number: number): TextRange {
  const value = found[number] ?? "";
  const start = found.index + found[0].lastIndexOf(value);
  return { start, end: start + value.length };
}

function nonEmpty(start: number, end: number): TextRange | undefined {
  return end > start ? { start, end } : undefined;
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}

function indexOfAny(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
