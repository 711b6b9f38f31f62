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
 * What a document may hold, so that parsing takes a few seconds at most, and less than a thread's heap. A thread that runs out of memory
 * inside of `JSON.parse` would take the process with it, hence characters are counted before. An object counts twice: it costs the most.
 */
const maxJsonValues = 1_500_000;
const maxYamlTokens = 450_000;
const yamlLimits = { maxDepth: 32, maxAliases: 200_000, maxTotalMergeKeys: 500_000 };

/** Parses JSON. Undefined for anything else. Throws a `ContentRefused` if it holds too much. */
export function parseJson(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  if (countOf(text, "{{[,") > maxJsonValues) throw new ContentRefused("too-complex");
  try {
    return JSON.parse(text);
  } catch {
    // The error quotes the text.
    return undefined;
  }
}

/**
 * Parses YAML and gives its first document. Every scalar is text, since no program writes the same types, and a password `08` is no
 * number; no tag does anything. Undefined for anything else. Throws a `ContentRefused` if it holds too much.
 */
export function parseYaml(text: string): unknown {
  if (countOf(text, "[{,\n") > maxYamlTokens) throw new ContentRefused("too-complex");
  try {
    return loadAll(text, { schema, ...yamlLimits })[0];
  } catch (error) {
    // The error quotes the text.
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

/** How many characters of a text are among these; one that is given twice counts twice. */
function countOf(text: string, characters: string): number {
  const weights = new Uint8Array(0x10000);
  for (const character of characters) weights[character.charCodeAt(0)] = (weights[character.charCodeAt(0)] ?? 0) + 1;
  let count = 0;
  for (let at = 0; at < text.length; at++) count += weights[text.charCodeAt(at)] ?? 0;
  return count;
}
