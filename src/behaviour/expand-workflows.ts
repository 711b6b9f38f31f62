import { join } from "node:path";
import { compileOperations } from "../contract/rest/compile-operation.js";
import { accountCallers } from "../contract/rest/conventions.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { findReadBack } from "../contract/rest/read-back.js";
import { listRules } from "../contract/rest/rules.js";
import { credentialNames } from "../contract/rest/security.js";
import { createStateCatalogue } from "../contract/rest/states/catalogue.js";
import type { Workflow } from "../contract/rest/workflows.js";
import type { Problem } from "../contract/yaml-source.js";
import { expandWorkflow } from "./expand-workflow.js";
import { readWorkflowFiles } from "./read-workflow-files.js";

/** The workflows of a contract, in the form in which they run. */
export interface ExpandedWorkflows {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the workflows of a folder and validates them against the contract and the `states.yaml` beside the folder. Problems name the folder
 * as `shown`.
 */
export function expandWorkflows(document: ContractDocument, folder: string, shown?: string): ExpandedWorkflows {
  const { files, components, problems: found } = readWorkflowFiles(folder, shown);
  const problems = [...found];
  const names = {
    components,
    catalogue: createStateCatalogue(join(folder, "../openapi.yaml")),
    operations: compileOperations(document),
    callers: accountCallers(document),
    credentials: credentialNames(document),
    readBack: findReadBack(document),
    rules: listRules(document),
  };
  const workflows: Workflow[] = [];
  const seen = new Map<string, string>();
  for (const file of files) {
    for (const entry of Object.entries(file.workflows)) {
      const [id] = entry;
      const other = seen.get(id);
      if (other !== undefined) problems.push(file.problem([id], `${other} has a workflow ${id}, too: rename one`));
      seen.set(id, file.name);
      workflows.push(expandWorkflow(file, entry, names, problems));
    }
  }
  return { workflows, problems };
}
