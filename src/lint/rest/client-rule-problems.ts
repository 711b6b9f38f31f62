import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { packageFile } from "../../contract/package-file.js";
import type { Rule } from "../../contract/rest/rule.js";
import type { ExchangePattern, Seen } from "../../contract/rest/seen.js";
import { schemaProblems } from "../../contract/schema-problems.js";
import { didYouMean } from "../../contract/yaml-source.js";
import { findPlace } from "../../verify/clients/place.js";

/** Values that tests may name without remembering them. */
const knownValues = ["newest-level", "recently"];

/** The names of the parameters of each operation. */
type Operations = ReadonlyMap<string, readonly string[]>;

let compiled: ValidateFunction<Rule> | undefined;

/** Compiles the schema once, because Redocly may check several contracts. */
function ruleValidator(): ValidateFunction<Rule> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile<Rule>(JSON.parse(readFileSync(packageFile("openapi/client-rule.schema.json"), "utf8")));
}

/**
 * Creates a function that describes what is wrong with the keys of a rule about clients. For a rule about servers, it only reports keys
 * that are reserved for rules about clients.
 */
export function createClientRuleCheck(): (rule: Rule, operations: Operations) => string[] {
  compiled ??= ruleValidator();
  const validate = compiled;
  return (rule, operations) => {
    const { party, seen, strain, untestable } = rule;
    if (party === undefined) {
      return seen === undefined && strain === undefined
        ? []
        : ["`seen` and `strain` are for rules about clients; add `party: client` or remove them."];
    }
    if (!validate(rule)) return schemaProblems(validate.errors ?? []).map(({ text }) => `${text}.`);
    const others = (["shown-by", "fixes-status"] as const).filter((key) => rule[key] !== undefined);
    return [
      ...others.map((key) => `\`${key}\` is for rules about servers; remove it.`),
      ...(seen === undefined && strain === undefined && untestable === undefined
        ? ["say in `seen` how traffic shows it, name a `strain`, or give the reason in `untestable`."]
        : []),
      ...(untestable !== undefined && (seen !== undefined || strain !== undefined)
        ? ["`untestable` contradicts `seen` and `strain`; remove it or them."]
        : []),
      ...(seen === undefined ? [] : nameProblems(seen, operations)),
    ];
  };
}

function nameProblems(seen: Seen, operations: Operations): string[] {
  const { after = {} } = seen;
  const patterns = [seen.when, seen.expect, seen.unless, seen.first, after.match, after.until];
  const remembered = [...Object.keys(after.remember ?? {}), ...knownValues];
  const earlier = patterns.flatMap((pattern) => [...namedValues(pattern), ...Object.keys(pattern?.earlier ?? {})]);
  return [
    ...patterns.flatMap((pattern) => (pattern === undefined ? [] : patternProblems(pattern, operations))),
    ...earlier
      .filter((name) => !remembered.includes(name))
      .map((name) => `nothing remembers \`${name}\`; ${didYouMean(name, remembered)}`),
    ...Object.values(after.remember ?? {}).flatMap((place) => {
      try {
        findPlace(place);
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    }),
  ];
}

function patternProblems(pattern: ExchangePattern, operations: Operations): string[] {
  const ids = typeof pattern.operation === "object" ? [] : [pattern.operation ?? []].flat().map(String);
  const unknown = ids.filter((id) => !operations.has(id));
  const known = ids.flatMap((id) => operations.get(id) ?? []);
  const names = [
    ...Object.keys(pattern.parameters ?? {}).flatMap((name) => name.split(" + ")),
    ...(pattern.sends ?? []),
    ...(pattern.omits ?? []),
    ...(pattern["sends-one"] ?? []),
  ];
  return [
    ...unknown.map((id) => `there is no operation \`${id}\`; ${didYouMean(id, [...operations.keys()])}`),
    ...(ids.length === 0 || unknown.length > 0 ? [] : names)
      .filter((name) => !known.includes(name))
      .map((name) => `there is no parameter \`${name}\`; ${didYouMean(name, known)}`),
  ];
}

/** The names of remembered values in tests, also within texts with braces. */
function namedValues(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "earlier" && typeof value === "string") return [value];
    if (key === "contains") return [...String(value).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    return namedValues(value);
  });
}
