import { defineScalarTag, FAILSAFE_SCHEMA, load, mergeTag, nullCoreTag } from "js-yaml";

/**
 * Reads YAML. Every scalar is text, since no program writes the same types, and a password `08` is no number; no tag does anything.
 * Undefined when it is no YAML, is nested too deeply, or uses aliases or merge keys in masses.
 */
export function loadYaml(text: string): unknown {
  try {
    return load(text, { schema, maxDepth: 32, maxAliases: 1_000, maxTotalMergeKeys: 10_000 });
  } catch {
    // The error quotes the text.
    return undefined;
  }
}

/** Tags that say that a scalar is not what it looks like; `!<str>` is what subconverter writes. */
const scalarTags = ["str", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool"];

const schema = FAILSAFE_SCHEMA.withTags(
  nullCoreTag,
  mergeTag,
  scalarTags.map((name) => defineScalarTag(name, { resolve: (source) => source, identify: () => false })),
);
