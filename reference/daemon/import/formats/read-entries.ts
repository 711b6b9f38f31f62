import { ContentRefused, type FormatName } from "../content.js";
import type { Entry } from "../entry.js";
import { proxiesIn, readClash } from "./clash.js";
import { readBase64UriList, readUriList } from "./links.js";
import { parseJson, parseYaml } from "./parse-document.js";
import { readSingBox } from "./sing-box.js";
import { readSip008 } from "./sip008.js";

/** Content of a known format, with entries that are parsed lazily. */
export interface Entries {
  readonly format: FormatName;
  readonly entries: Iterable<Entry>;
}

type Reader<Source> = readonly [format: FormatName, read: (source: Source) => Iterable<Entry> | undefined];

/** A format that is easily mistaken for another comes after it. */
const documentReaders: readonly Reader<unknown>[] = [
  ["sip008", readSip008],
  ["sing-box", readSingBox],
  ["clash", readClash],
];
const textReaders: readonly Reader<string>[] = [
  ["uri-list", readUriList],
  ["base64-uri-list", readBase64UriList],
  ["clash", (text) => (mentionsProxies.test(text) ? readClashYaml(text) : undefined)],
];

/**
 * Detects the format of content that `decodeText` decoded, and reads its entries. Undefined if the format is unknown.
 * Throws a `ContentRefused` if the content exceeds the bounds.
 */
export function readEntries(text: string): Entries | undefined {
  const json = parseJson(text);
  return json === undefined ? firstOf(textReaders, text) : firstOf(documentReaders, json);
}

function firstOf<Source>(readers: readonly Reader<Source>[], source: Source): Entries | undefined {
  for (const [format, read] of readers) {
    const entries = read(source);
    if (entries !== undefined) return { format, entries };
  }
  return undefined;
}

const mentionsProxies = /\b(?:proxies|Proxy)["']?[ \t]*:/;
const maxYamlProxies = 20_000;

function readClashYaml(text: string): Iterable<Entry> | undefined {
  const document = parseYaml(text);
  if ((proxiesIn(document)?.length ?? 0) > maxYamlProxies) throw new ContentRefused("too-many-entries");
  return readClash(document);
}
