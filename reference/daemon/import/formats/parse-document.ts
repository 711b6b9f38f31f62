import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  loadAll,
  mapTag,
  mergeTag,
  nullCoreTag,
  seqTag,
  YAMLException,
} from "js-yaml";
import { ContentRefused } from "../content.js";

/**
 * Bounds for documents, so that parsing takes at most a few seconds and fits into the heap of a thread. A thread that
 * runs out of memory inside `JSON.parse` would end the process, so characters are counted before parsing.
 */
export const maxJsonValues = 1_500_000;
export const maxYamlTokens = 450_000;
const yamlLimits = { maxDepth: 32, maxAliases: 200_000, maxTotalMergeKeys: 500_000 };

/** Characters that YAML rejects everywhere, and JSON within strings. One in a name must not invalidate the other entries. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** Parses JSON. Undefined for any other text. Throws a `ContentRefused` if the document exceeds the bounds. */
export function parseJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  // An object costs twice as much as another value.
  if (countOf(text, "{[,") + countOf(text, "{") > maxJsonValues) throw new ContentRefused("too-complex");
  try {
    return JSON.parse(text.replace(/[\t\n]/g, " ").replace(unprintable, ""));
  } catch {
    // The error quotes the text, so it is dropped.
    return undefined;
  }
}

/**
 * Parses YAML and returns its first document. Reads every scalar except null as text, because programs write different
 * types, and a password `08` must not become a number. Tags have no effect. Undefined for any other text. Throws a
 * `ContentRefused` if the document exceeds the bounds.
 */
export function parseYaml(text: string): unknown {
  if (countOf(text, "[{,\n") > maxYamlTokens) throw new ContentRefused("too-complex");
  try {
    return loadAll(text.replace(unprintable, ""), { schema, ...yamlLimits })[0];
  } catch (error) {
    // The error quotes the text, so it is dropped.
    if (error instanceof YAMLException && /exceeded max/.test(error.reason)) throw new ContentRefused("too-complex");
    return undefined;
  }
}

/** Matches every tag, such as `!<str>`, which subconverter writes. */
const anyTag = { matchByTagPrefix: true, identify: () => false };
const schema = FAILSAFE_SCHEMA.withTags(
  nullCoreTag,
  mergeTag,
  defineScalarTag("", { ...anyTag, resolve: (source) => source }),
  defineSequenceTag("", { ...seqTag, ...anyTag }),
  defineMappingTag("", { ...mapTag, ...anyTag }),
);

function countOf(text: string, characters: string): number {
  let count = 0;
  for (const character of characters)
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}
