import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ValidateFunction } from "ajv";
import { compileFileSchema } from "../../schema/compile-file-schema.js";
import { schemaProblems } from "../schema-problems.js";
import { shownPath } from "../shown-path.js";
import { didYouMean, type Problem, readYamlSource } from "../yaml-source.js";
import type { ContractDocument } from "./document.js";
import { listOperations } from "./operations.js";
import type { Rule } from "./rule.js";

/** The name of the file beside a document with rules for it. */
export const rulesFileName = "rules.yaml";

/** The key of the rules that are about no single operation. */
const everyOperation = "*";

type RulesByOperation = Readonly<Record<string, readonly Rule[]>>;

/**
 * Adds the rules of a `rules.yaml` to a document, so that the document itself need not have them. Returns the problems of the file, each with
 * file, line and column; the document is then unchanged.
 */
export function addRules(
  document: ContractDocument,
  file: string,
): { readonly document: ContractDocument; readonly problems: readonly Problem[] } {
  const name = shownPath(file);
  const { content, problems, placeOf } = readYamlSource(file, name);
  if (problems.length > 0) return { document, problems };
  const validate = rulesValidator();
  const say = (path: readonly (string | number)[], text: string) => `${name}:${placeOf(path)}: ${text}`;
  if (!validate(content))
    return { document, problems: schemaProblems(validate.errors ?? []).map(({ path, text }) => say(path, text)) };
  const rules = content ?? {};
  const ids = listOperations(document).map(({ operation }) => operation.operationId);
  const unknown = Object.keys(rules)
    .filter((id) => id !== everyOperation && !ids.includes(id))
    .map((id) => say([id], `there is no operation \`${id}\`: ${didYouMean(id, ids)}`));
  return unknown.length > 0 ? { document, problems: unknown } : { document: withRules(document, rules), problems: [] };
}

/** The rules of the `rules.yaml` beside a document, of all operations. None if the file is missing or wrong. */
export function rulesBeside(document: string): readonly Rule[] {
  const file = join(dirname(document), rulesFileName);
  const content = existsSync(file) ? readYamlSource(file, rulesFileName).content : null;
  return rulesValidator()(content) ? Object.values(content ?? {}).flat() : [];
}

function withRules(document: ContractDocument, rules: RulesByOperation): ContractDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const more = rules[operation.operationId] ?? [];
      if (more.length === 0) return [method, operation];
      return [method, { ...operation, "x-rules": [...(operation["x-rules"] ?? []), ...more] }];
    });
    return [path, Object.fromEntries(operations)];
  });
  const shared = [...(document["x-rules"] ?? []), ...(rules[everyOperation] ?? [])];
  return { ...document, paths: Object.fromEntries(paths), ...(shared.length === 0 ? {} : { "x-rules": shared }) };
}

let compiled: ValidateFunction<RulesByOperation | null> | undefined;

/** Compiles the schema once. */
function rulesValidator(): ValidateFunction<RulesByOperation | null> {
  compiled ??= compileFileSchema<RulesByOperation | null>({ file: "openapi/rules.schema.json" });
  return compiled;
}
