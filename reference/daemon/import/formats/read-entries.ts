import { ContentRefused, type FormatName } from "../content.js";
import type { Entry } from "../entry.js";
import { parseLink } from "./links.js";
import { clashIn, type Objects, readObjects, singBoxIn, sip008In } from "./objects.js";
import { parseJson, parseYaml } from "./parse-document.js";

/** Content of a known format, with entries that are parsed lazily. */
export interface Entries {
  readonly format: FormatName;
  readonly entries: Iterable<Entry>;
}

/**
 * Detects the format of content and reads its entries. Undefined if the format is unknown. Throws a `ContentRefused` if
 * the content exceeds the bounds.
 */
export function readEntries(text: string): Entries | undefined {
  const json = parseJson(text);
  if (json === undefined) return uriList("uri-list", text) ?? base64UriList(text) ?? clashYaml(text);
  return (
    ofObjects("sip008", sip008In(json)) ?? ofObjects("sing-box", singBoxIn(json)) ?? ofObjects("clash", clashIn(json))
  );
}

function ofObjects(format: FormatName, objects: Objects | undefined): Entries | undefined {
  return objects === undefined ? undefined : { format, entries: readObjects(objects) };
}

const maxYamlProxies = 20_000;

function clashYaml(text: string): Entries | undefined {
  const objects = /\b(?:proxies|Proxy)["']?[ \t]*:/.test(text) ? clashIn(parseYaml(text)) : undefined;
  // The same proxy can be listed many times by an alias.
  if ((objects?.elements.length ?? 0) > maxYamlProxies) throw new ContentRefused("too-many-entries");
  return ofObjects("clash", objects);
}

const lineWithScheme = /^[a-z][a-z0-9+.-]{0,29}:\/\//im;
const lineWithContent = /^(?![^\S\n]*(?:$|#|;|\/\/))/m;
const blankOrComment = /^\s*(?:$|#|;|\/\/)/;

/** Share links, one per line. At least one line begins with a scheme, unless all are blank or comments. */
function uriList(format: FormatName, text: string): Entries | undefined {
  const isBinary = text.includes("\ufffd");
  const isList = lineWithScheme.test(text) ? !text.startsWith("<") : !lineWithContent.test(text) && !isBinary;
  return isList ? { format, entries: readLines(text) } : undefined;
}

/** Share links, encoded once in base64, with white space anywhere. */
function base64UriList(text: string): Entries | undefined {
  const digits = text.replace(/\s+/g, "");
  if (!/^[\w+/-]+={0,2}$/.test(digits) || digits.replace(/=+$/, "").length % 4 === 1) return undefined;
  return uriList("base64-uri-list", normalized(Buffer.from(digits, "base64").toString()));
}

/** Text with `\n` as line ending, without white space and a byte order mark around it. */
export function normalized(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}

function* readLines(text: string): Generator<Entry> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (!blankOrComment.test(line)) yield parseLink(line);
    start = end + 1;
  }
}
