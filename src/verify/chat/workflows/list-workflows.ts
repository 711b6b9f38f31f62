import { type ContractDocument, type OperationObject, resolve, type Schema } from "../../../contract/document.js";
import { jsonFields } from "../../../contract/level/cases-at-level.js";
import { listOperations, parametersOf } from "../../../contract/operations.js";
import { type ReadWorkflow, readWorkflows, type WorkflowStep } from "../../../contract/read-workflows.js";
import { listRules } from "../../../contract/rules.js";
import type { CheckToRun } from "../../create-selection.js";

/**
 * The workflows that a server of a level keeps: all their rules hold there, and everything that they send is there. A field that was
 * JSON-encoded then is given as JSON text. `newest` is the contract, and `view` the same as of the level.
 */
export function listWorkflows(newest: ContractDocument, view: ContractDocument): ReadWorkflow[] {
  const rules = new Set(listRules(view).map(({ id }) => id));
  const [known, present] = [fieldsOf(newest), fieldsOf(view)];
  const isThere = ({ operationId, parameters = [], requestBody }: WorkflowStep) => {
    const id = chatOperation(operationId);
    if (id === undefined) return true;
    const names = [...parameters.map(({ name }) => name), ...Object.keys(requestBody?.payload ?? {})];
    // A field that no level knows is sent on purpose.
    return present.has(id) && names.every((name) => present.get(id)?.has(name) || !known.get(id)?.has(name));
  };
  const encodedNow = jsonFields(newest);
  const encodedThen = [...jsonFields(view)].filter((field) => !encodedNow.has(field));
  return readWorkflows()
    .filter((workflow) => workflow.rules.every((rule) => rules.has(rule)) && workflow.steps.every(isThere))
    .map((workflow) => ({ ...workflow, steps: workflow.steps.map((step) => encodeFields(step, encodedThen)) }));
}

function encodeFields(step: WorkflowStep, encoded: readonly string[]): WorkflowStep {
  const payload = step.requestBody?.payload;
  const id = chatOperation(step.operationId);
  if (payload === undefined || id === undefined) return step;
  const fields = Object.entries(payload).map(([name, value]) => [
    name,
    encoded.includes(`${id} ${name}`) ? JSON.stringify(value) : value,
  ]);
  return { ...step, requestBody: { ...step.requestBody, payload: Object.fromEntries(fields) } };
}

/** How a workflow is known as a check. Its operation is the resource that its file is about. */
export function workflowIdentity({ workflowId, resource, rules }: ReadWorkflow): CheckToRun {
  return { id: `workflow ${workflowId}`, operation: resource, rules };
}

/** The operation of the chat service that a step calls; undefined when it sets a provider state up. */
export function chatOperation(operationId: string): string | undefined {
  return /^\$sourceDescriptions\.chat\.(\w+)$/.exec(operationId)?.[1];
}

/** The names of the parameters and form fields of each operation. */
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
