import { join } from "node:path";
import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { listInputs } from "../../../src/contract/rest/operation-inputs.js";
import { findReadBack } from "../../../src/contract/rest/read-back.js";
import { listRules } from "../../../src/contract/rest/rules.js";
import { createStateCatalogue } from "../../../src/contract/rest/states/catalogue.js";
import type { Workflow } from "../../../src/contract/rest/workflows.js";
import type { Problem } from "../../../src/contract/yaml-source.js";
import { expandWorkflow } from "./expand-workflow.js";
import { behaviourFolder, readWorkflowFiles } from "./read-workflow-files.js";

/** The workflows of `openapi/behaviour`, in the form in which they run. */
export interface ExpandedWorkflows {
  readonly workflows: readonly Workflow[];
  readonly problems: readonly Problem[];
}

/** Reads the workflows of a folder and validates them against the contract and its provider states. */
export function expandWorkflows(document: ContractDocument, folder: string = behaviourFolder): ExpandedWorkflows {
  const { files, components, problems: found } = readWorkflowFiles(folder);
  const problems = [...found];
  const names = {
    components,
    catalogue: createStateCatalogue(join(folder, "../chat.yaml")),
    operations: listInputs(document),
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
