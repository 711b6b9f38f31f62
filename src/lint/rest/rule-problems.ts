import { listCases } from "../../contract/rest/cases.js";
import { impliedRules } from "../../contract/rest/implied-rules.js";
import { listOperations } from "../../contract/rest/operations.js";
import { reliesOnProblems } from "../../contract/rest/relies-on-problems.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import type { Rule } from "../../contract/rest/rule.js";
import { coverageProblems, coverRules } from "../../contract/rest/rule-coverage.js";
import { listRules } from "../../contract/rest/rules.js";
import { coveredBy, workflowName } from "../../contract/rest/workflows.js";
import { didYouMean } from "../../contract/yaml-source.js";
import type { CodeCheck } from "../../verify/run/define-check.js";
import { probeProblems } from "./probe-problems.js";

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

/** Describes, in a sentence, each written rule of a contract that no check shows, and each key from which no check is derived. */
export function uncheckedRules(
  {
    document,
    workflows,
    states,
    hasExamples = false,
  }: Pick<RestContract, "document" | "workflows" | "states" | "hasExamples">,
  checks: readonly CodeCheck[],
): string[] {
  const implied = hasExamples
    ? listOperations(document).map(({ operation }) => impliedRules(operation.operationId))
    : [];
  const isImplied = new Set(implied.flatMap((rules) => Object.values(rules)));
  const ofCode = checks.map(({ id, rules }) => ({ workflowId: workflowName({ id }), rules }));
  const covered = coverRules(
    listRules(document).filter(({ id }) => !isImplied.has(id)),
    listCases(document),
    [...workflows.map(coveredBy), ...ofCode],
  );
  return [...coverageProblems(covered), ...probeProblems(document, states)];
}
