import type { ContractDocument } from "../../../contract/chat/document.js";
import { listOperations } from "../../../contract/chat/operations.js";
import { type StepOfRun, textOf } from "./evaluate.js";
import { chatOperation } from "./list-workflows.js";

/** Where steps are sent, and the contract that says to which paths. */
export interface StepTarget {
  readonly contract: ContractDocument;
  /** The API, with `/api/v1`. */
  readonly apiUrl: string;
  /** Without `/states`. */
  readonly statesUrl?: string;
}

/** The URL of a step that got no answer, of which `respect` reports none. A value that is not known stays `{name}`. */
export function urlOfStep(run: StepOfRun, { contract, apiUrl, statesUrl = "" }: StepTarget): string {
  const source = run.workflow.steps.find(({ stepId }) => stepId === run.step.stepId);
  const operationId = chatOperation(source?.operationId ?? "");
  if (operationId === undefined) return `${statesUrl}/states`;
  const path = listOperations(contract).find(({ operation }) => operation.operationId === operationId)?.path ?? "";
  const parameters = source?.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = textOf(parameters.find((one) => one.name === name)?.value, run);
    return value === undefined ? place : encodeURIComponent(value);
  });
  const query = parameters
    .filter((one) => one.in === "query")
    .map(({ name, value }): [string, string] => [name, textOf(value, run) ?? `{${name}}`]);
  return `${apiUrl}${filled}${query.length === 0 ? "" : `?${new URLSearchParams(query)}`}`;
}
