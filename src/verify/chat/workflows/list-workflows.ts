import { type ContractDocument, type OperationObject, resolve, type Schema } from "../../../contract/chat/document.js";
import { jsonFields } from "../../../contract/chat/level/cases-at-level.js";
import { listOperations, parametersOf } from "../../../contract/chat/operations.js";
import { findReadBack } from "../../../contract/chat/read-back.js";
import { listRules } from "../../../contract/chat/rules.js";
import { type ReadWorkflow, readWorkflows, type WorkflowStep } from "../../../contract/chat/workflows.js";
import type { CheckToRun } from "../../create-selection.js";

/**
 * Lists the workflows that apply at a feature level: those whose rules all hold there, and whose operations and fields all exist there.
 * Encodes fields as JSON text if that level does. `newest` is the newest contract, and `view` the contract as of the level.
 */
export function listWorkflows(newest: ContractDocument, view: ContractDocument): ReadWorkflow[] {
  const rules = new Set(listRules(view).map(({ id }) => id));
  const [known, present] = [fieldsOf(newest), fieldsOf(view)];
  const exists = ({ operationId, parameters = [], requestBody }: WorkflowStep) => {
    const id = chatOperation(operationId);
    if (id === undefined) return true;
    const names = [...parameters.map(({ name }) => name), ...Object.keys(requestBody?.payload ?? {})];
    // A field that exists at no level is sent on purpose.
    return present.has(id) && names.every((name) => present.get(id)?.has(name) || !known.get(id)?.has(name));
  };
  const encodedNow = jsonFields(newest);
  const encodedThen = [...jsonFields(view)].filter((field) => !encodedNow.has(field));
  const readBack = findReadBack(view);
  return readWorkflows()
    .map((workflow) => (readBack === undefined ? withoutReadBacks(workflow) : workflow))
    .filter((workflow) => workflow.rules.every((rule) => rules.has(rule)) && workflow.steps.every(exists))
    .map((workflow) => ({ ...workflow, steps: workflow.steps.map((step) => encodeFields(step, encodedThen)) }));
}

/** Removes the reads before and after refused requests, for levels at which their rule does not hold. */
function withoutReadBacks(workflow: ReadWorkflow): ReadWorkflow {
  const isRead = (step: WorkflowStep) => step["x-read-back"] !== undefined;
  const read = workflow.steps.filter(isRead).flatMap((step) => step["x-rules"] ?? []);
  return {
    ...workflow,
    rules: workflow.rules.filter((rule) => !read.includes(rule)),
    steps: workflow.steps.filter((step) => !isRead(step)),
  };
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

/** Describes a workflow as a check. `operation` is the resource that the workflow's file is about. */
export function workflowIdentity({ workflowId, resource, rules, reliesOn }: ReadWorkflow): CheckToRun {
  return { id: `workflow ${workflowId}`, operation: resource, rules, ...(reliesOn === undefined ? {} : { reliesOn }) };
}

/** Returns the chat operation that a step calls; undefined if it sets up a provider state. */
export function chatOperation(operationId: string): string | undefined {
  return /^\$sourceDescriptions\.chat\.(\w+)$/.exec(operationId)?.[1];
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
