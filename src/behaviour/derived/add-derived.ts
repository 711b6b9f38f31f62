import { stringify } from "yaml";
import { UsageError } from "../../base/usage-error.js";
import { compileOperations } from "../../contract/rest/compile-operation.js";
import { accountCallers, plainCaller } from "../../contract/rest/conventions.js";
import type { ContractDocument, OperationObject } from "../../contract/rest/document.js";
import { impliedRules } from "../../contract/rest/implied-rules.js";
import { findResources, type Resource } from "../../contract/rest/resources/find-resources.js";
import type { Rule } from "../../contract/rest/rule.js";
import { listAllRules, listRules } from "../../contract/rest/rules.js";
import { credentialNames, loginOf } from "../../contract/rest/security.js";
import type { StateCatalogue } from "../../contract/rest/states/catalogue.js";
import type { Workflow } from "../../contract/rest/workflows.js";
import type { Problem } from "../../contract/yaml-source.js";
import { expandWorkflow } from "../expand-workflow.js";
import type { CallSource, WorkflowSource } from "../workflow-source.js";
import { deriveWorkflows } from "./derive-workflows.js";
import { derivedRule, derivedRuleId } from "./derived-rules.js";
import { MissingThing } from "./make-things.js";
import type { DerivedWorkflow } from "./workflow-parts.js";

/** A resource with its workflows, or with the reason why there are none. */
export interface DerivedResource {
  readonly resource: Resource;
  readonly workflows: readonly DerivedWorkflow[];
  /** What keeps the rest from being derived. */
  readonly missing?: string;
}

/** Derives the workflows of a contract from its document, but for those whose rules somebody wrote. */
export function deriveFrom(
  document: ContractDocument,
  { hasStates }: { readonly hasStates: boolean },
): DerivedResource[] {
  const all = findResources(document);
  const taken = new Set(listAllRules(document).map(({ id }) => id));
  const callerOf = (operation: OperationObject) =>
    loginOf(document, operation).alternatives.length === 0 ? { as: "nobody" } : {};
  return all.map((resource) => {
    try {
      // Whom the callers of provider states stand for is unknown.
      const found = deriveWorkflows({ document, all, resource, callerOf, hasOther: !hasStates });
      const workflows = found.filter(({ kind }) => kind === "response" || !taken.has(derivedRuleId(resource, kind)));
      return { resource, workflows };
    } catch (error) {
      if (!(error instanceof MissingThing)) throw error;
      return { resource, workflows: [], missing: error.message };
    }
  });
}

/** Adds the rules of derived workflows to the operations that keep or break them, as far as they are wanted. */
export function withDerivedRules(
  document: ContractDocument,
  derived: readonly DerivedResource[],
  isWanted: (id: string) => boolean = () => true,
): ContractDocument {
  const byOperation = new Map<string, Rule[]>();
  for (const { resource, workflows } of derived)
    for (const { kind, operationId } of workflows) {
      if (kind === "response") continue;
      const rules = byOperation.get(operationId) ?? [];
      const rule = derivedRule(resource, kind);
      if (isWanted(rule.id) && rules.every(({ id }) => id !== rule.id)) byOperation.set(operationId, [...rules, rule]);
    }
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const own = byOperation.get(operation?.operationId ?? "");
      return [
        method,
        own === undefined ? operation : { ...operation, "x-rules": [...(operation["x-rules"] ?? []), ...own] },
      ];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The source of a derived workflow, as a file in `behaviour/` has it. */
function sourceOf(
  document: ContractDocument,
  { names, callers }: StateCatalogue,
  { source }: DerivedWorkflow,
): WorkflowSource {
  const [base] = names;
  const { summary, rules, steps } = source;
  const calls = steps as readonly CallSource[];
  const isAnonymous = calls.every((step) => step.as === "nobody");
  const plain = plainCaller(document);
  // Of several callers with roles, the first may do most.
  const as = isAnonymous ? "nobody" : base === undefined || callers.includes(plain) ? plain : (callers[0] ?? plain);
  const given = base === undefined || isAnonymous ? {} : { given: [base] };
  return {
    summary,
    ...(rules === undefined ? {} : { rules }),
    as,
    ...given,
    steps: calls.map(({ as: own, ...step }) => (own === undefined || own === as ? step : { ...step, as: own })),
  };
}

/** Converts derived workflows to the form in which they run. `document` has their rules. */
export function expandDerived(
  document: ContractDocument,
  catalogue: StateCatalogue,
  derived: readonly DerivedResource[],
): Workflow[] {
  const problems: Problem[] = [];
  const names = {
    ...{ components: {}, catalogue, operations: compileOperations(document) },
    ...{ callers: accountCallers(document), credentials: credentialNames(document) },
    ...{ readBack: undefined, rules: listRules(document) },
  };
  const workflows = derived.flatMap(({ resource, workflows: found }) => {
    const problem = (_: unknown, text: string) => `derived/${resource.name}: ${text}` as unknown as Problem;
    const file = { name: "derived", resource: resource.name, workflows: {}, lineOf: () => 1, problem };
    return found.map((one): Workflow => {
      const entry = [one.id, sourceOf(document, catalogue, one)] as const;
      return { ...expandWorkflow(file, entry, names, problems), source: "derived", derived: one.depth };
    });
  });
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return workflows;
}

function ruleOf(document: ContractDocument, resource: Resource, { kind, operationId }: DerivedWorkflow): Rule {
  if (kind !== "response") return derivedRule(resource, kind);
  const { response: id } = impliedRules(operationId);
  return listRules(document).find((rule) => rule.id === id) ?? { id, text: "" };
}

/** The derived workflows of each resource as a file of `behaviour/`, by its name, with comments that say why. */
export function derivedFiles(
  document: ContractDocument,
  catalogue: StateCatalogue,
  derived: readonly DerivedResource[],
): Map<string, string> {
  const files = derived.flatMap(({ resource, workflows, missing }): [string, string][] => {
    const why = [...resource.reasons, ...(missing === undefined ? [] : [`Left alone: ${missing}`])];
    const comment = why.map((line) => `# ${line.replaceAll(/\s+/g, " ")}.\n`).join("");
    const entries = workflows.map((one) => {
      const { id, text, source, strength = "must" } = ruleOf(document, resource, one);
      const rule = `# ${id} (${strength}): ${text} Source: ${source}. Depth: ${one.depth}.\n`;
      return `${rule}${stringify({ [one.id]: sourceOf(document, catalogue, one) }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
    });
    if (workflows.length === 0 && (missing === undefined || resource.parameter === undefined)) return [];
    return [[`${resource.name}.yaml`, [comment, ...entries].join("\n")]];
  });
  return new Map(files);
}
