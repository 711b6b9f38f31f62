import { reliesOnProblems } from "../../contract/rest/relies-on-problems.js";
import type { Rule } from "../../contract/rest/rule.js";
import { didYouMean } from "../../contract/yaml-source.js";
import type { CodeCheck } from "../../verify/run/define-check.js";

/** Describes, in a sentence, each rule of a check in code that the contract lacks, and each wrong entry of its `reliesOn`. */
export function codeCheckProblems(checks: readonly CodeCheck[], rules: readonly Rule[]): string[] {
  const known = rules.map(({ id }) => id);
  return checks.flatMap(({ id, rules: named, reliesOn }) => [
    ...named
      .filter((rule) => !known.includes(rule))
      .map((rule) => `${id}: there is no rule \`${rule}\`: ${didYouMean(rule, known)}`),
    ...reliesOnProblems(reliesOn, rules).map(({ text }) => `${id}: ${text}`),
  ]);
}
