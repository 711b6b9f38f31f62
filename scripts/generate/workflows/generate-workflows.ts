import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import type { ContractDocument } from "../../../src/contract/chat/document.js";
import { findReadBack } from "../../../src/contract/chat/read-back.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import { createStateCatalogue } from "../../states/catalogue.js";
import type { Problem } from "../../yaml-source.js";
import { type ArazzoWorkflow, expandWorkflow } from "./expand-workflow.js";
import { listInputs } from "./operation-inputs.js";
import { behaviourFolder, readWorkflowFiles } from "./read-workflow-files.js";

/** The workflows of `openapi/behaviour`, converted to Arazzo. */
export interface ExpandedWorkflows {
  /** By resource. */
  readonly resources: ReadonlyMap<string, readonly ArazzoWorkflow[]>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the workflows of a folder, validates them against the contract and its provider states, and converts them to
 * Arazzo.
 */
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
  const resources = new Map<string, ArazzoWorkflow[]>();
  const seen = new Map<string, string>();
  for (const file of files) {
    for (const entry of Object.entries(file.workflows)) {
      const [id] = entry;
      const other = seen.get(id);
      if (other !== undefined) problems.push(file.problem([id], `${other} has a workflow ${id}, too: rename one`));
      seen.set(id, file.name);
      const workflow = expandWorkflow(file, entry, names, problems);
      resources.set(file.resource, [...(resources.get(file.resource) ?? []), workflow]);
    }
  }
  return { resources, problems };
}

/**
 * Writes `<resource>.arazzo.yaml` for each resource, and the files that workflows upload, into `outDir`, which is in the folder of
 * `openapi.yaml` and `states.yaml`. If there are problems, writes nothing and rejects with all of them.
 */
export async function generateWorkflows(
  document: ContractDocument,
  { resources, problems }: ExpandedWorkflows,
  outDir: string,
): Promise<void> {
  if (problems.length > 0) throw new Error(problems.join("\n"));
  await mkdir(outDir, { recursive: true });
  for (const [resource, workflows] of resources) {
    const arazzo = {
      arazzo: "1.0.1",
      info: { title: titleOf(resource), version: document.info.version },
      sourceDescriptions: [
        { name: "chat", type: "openapi", url: "../openapi.yaml" },
        { name: "states", type: "openapi", url: "../states.yaml" },
      ],
      workflows,
    };
    const text = stringify(arazzo, { lineWidth: 0, aliasDuplicateObjects: false });
    const head = "# Written by `npm run generate`. Not to be edited: `x-source` says where to.\n";
    await writeFile(join(outDir, `${resource}.arazzo.yaml`), head + text);
  }
  await cp(join(behaviourFolder, "files"), join(outDir, "files"), { recursive: true });
}

/** Converts `topic-resolution` to `Topic resolution`. */
function titleOf(resource: string): string {
  const words = resource.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
