import type { ValidateFunction } from "ajv";
import { expressionsIn } from "../../contract/expressions.js";
import type { Rule } from "../../contract/rest/rule.js";
import type { ExchangePattern, Seen } from "../../contract/rest/seen.js";
import { schemaProblems } from "../../contract/schema-problems.js";
import { didYouMean } from "../../contract/yaml-source.js";
import { compileFileSchema } from "../../schema/compile-file-schema.js";
import { createRuleWatch } from "../../traffic/rest/clients/create-rule-watch.js";
import { operationsIn } from "../../traffic/rest/clients/pattern.js";

/** Values that matchers may name without remembering them. */
const knownValues = ["newest-level", "recently"];

/** The names of the parameters of each operation. */
type Operations = ReadonlyMap<string, readonly string[]>;

let compiled: ValidateFunction<Rule> | undefined;

/** Compiles the schema once, because Redocly may check several contracts. */
function ruleValidator(): ValidateFunction<Rule> {
  return compileFileSchema<Rule>({
    file: "openapi/client-rule.schema.json",
    refersTo: { "matcher.schema.json": "openapi/matcher.schema.json" },
  });
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
  const earlier = patterns.flatMap((pattern) => [...expressionsIn(pattern), ...Object.keys(pattern?.earlier ?? {})]);
  return [
    ...patterns.flatMap((pattern) => (pattern === undefined ? [] : patternProblems(pattern, operations))),
    ...earlier
      .filter((name) => !remembered.includes(name))
      .map((name) => `nothing remembers \`${name}\`; ${didYouMean(name, remembered)}`),
    ...compileProblems(seen),
  ];
}

function compileProblems(seen: Seen): string[] {
  try {
    createRuleWatch(seen);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function patternProblems(pattern: ExchangePattern, operations: Operations): string[] {
  const ids = operationsIn(pattern);
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
