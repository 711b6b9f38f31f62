import type { CallStep, Step } from "../../check.js";
import { type ContractDocument, type OperationObject, resolve, type Schema } from "../document.js";
import { listOperations, parametersOf } from "../operations.js";
import { findReadBack } from "../read-back.js";
import { listRules } from "../rules.js";
import type { Workflow } from "../workflows.js";

/**
 * The workflows that apply at a feature level: those whose rules all hold there, and whose operations and fields all exist there. `newest`
 * is the newest contract, and `view` the contract as of the level.
 */
export function workflowsAtLevel(
  workflows: readonly Workflow[],
  newest: ContractDocument,
  view: ContractDocument,
): Workflow[] {
  const rules = new Set(listRules(view).map(({ id }) => id));
  const [known, present] = [fieldsOf(newest), fieldsOf(view)];
  const exists = (step: Step): boolean => {
    if (step.kind === "state" || step.kind === "serve") return true;
    if (step.kind === "parallel") return step.steps.every(exists);
    const { call } = step;
    // A field that exists at no level is sent on purpose.
    return (
      call === undefined ||
      (present.has(call) &&
        Object.keys(step.with).every((name) => present.get(call)?.has(name) || !known.get(call)?.has(name)))
    );
  };
  const readsBack = findReadBack(view) !== undefined;
  return (
    workflows
      // Their rule may hold only at other levels.
      .map((workflow) => (readsBack ? workflow : withoutReadBacks(workflow)))
      .filter((workflow) => workflow.rules.every((rule) => rules.has(rule)) && workflow.steps.every(exists))
  );
}

/** Removes the reads before and after refused requests. */
export function withoutReadBacks(workflow: Workflow): Workflow {
  const isRead = (step: Step): step is CallStep => step.kind === "call" && step.readBack !== undefined;
  const read = workflow.steps.filter(isRead).flatMap(({ rules = [] }) => rules);
  return {
    ...workflow,
    rules: workflow.rules.filter((rule) => !read.includes(rule)),
    steps: workflow.steps.filter((step) => !isRead(step)),
  };
}

/** Maps each operation to the names of its parameters and form fields. */
function fieldsOf(document: ContractDocument): Map<string, ReadonlySet<string>> {
  return new Map(
    listOperations(document).map(({ operation }) => [operation.operationId, new Set(namesOf(document, operation))]),
  );
}

function namesOf(document: ContractDocument, operation: OperationObject): string[] {
  const bodies = Object.values(operation.requestBody?.content ?? {});
  return [
    ...parametersOf(document, operation).map(({ name }) => name),
    ...bodies.flatMap(({ schema }) => Object.keys(resolve<Schema>(document, schema).properties ?? {})),
  ];
}
