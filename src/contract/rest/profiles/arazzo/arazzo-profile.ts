import type { Step } from "../../../check.js";
import { compileOperations } from "../../compile-operation.js";
import { formatContract } from "../../contract-file.js";
import type { ContractDocument } from "../../document.js";
import { atFeatureLevel } from "../../level/at-feature-level.js";
import { workflowsAtLevel } from "../../level/workflows-at-level.js";
import { type Workflow, workflowName } from "../../workflows.js";
import { isTextFile, type UploadedFile } from "./request.js";
import { arazzoWorkflow, type OpenApiSource } from "./workflow.js";

/**
 * The workflows of a feature level as Arazzo 1.0.1 documents, one for each resource, with the files that they upload: contents by path.
 * Redocly's Respect runs them. They refer to `openapi.yaml` and `states.yaml` one folder above. `newest` is the newest contract, and `name` its name.
 */
export function arazzoProfile(
  name: string,
  newest: ContractDocument,
  all: readonly Workflow[],
  level: number,
): ReadonlyMap<string, string> {
  const contract = atFeatureLevel(newest, level);
  const workflows = workflowsAtLevel(all, newest, contract);
  const api = { name, document: contract, operations: compileOperations(contract) };
  const resources = [...new Set(workflows.map(({ operation }) => operation))];
  const documents = resources.flatMap((resource): [string, string][] => {
    const own = workflows.filter(({ operation }) => operation === resource);
    const text = documentOf(resource, own, contract.info.version, api);
    return text === undefined ? [] : [[`${resource}.arazzo.yaml`, text]];
  });
  const files = workflows
    .flatMap(({ steps }) => filesOf(steps))
    .map(({ name, text }) => [`files/${name}`, text] as const);
  return new Map([...documents, ...files]);
}

/** Undefined if none of the workflows can be expressed. */
function documentOf(
  resource: string,
  workflows: readonly Workflow[],
  version: string,
  api: OpenApiSource,
): string | undefined {
  const written = workflows.flatMap((workflow) => arazzoWorkflow(workflow, api) ?? []);
  if (written.length === 0) return undefined;
  const ids = new Set(written.map(({ workflowId }) => workflowId));
  const leftOut = workflows.map(workflowName).filter((id) => !ids.has(id));
  const document = {
    arazzo: "1.0.1",
    info: { title: titleOf(resource), version },
    ...(leftOut.length === 0 ? {} : { "x-left-out": leftOut }),
    sourceDescriptions: [
      { name: api.name, type: "openapi", url: "../openapi.yaml" },
      { name: "states", type: "openapi", url: "../states.yaml" },
    ],
    workflows: written,
  };
  return `# Generated. Not to be edited: \`x-source\` says where to.\n${formatContract(document, "yaml")}`;
}

function filesOf(steps: readonly Step[]): UploadedFile[] {
  return steps.flatMap((step) => (step.kind === "call" ? Object.values(step.with).flat().filter(isTextFile) : []));
}

/** Converts `topic-resolution` to `Topic resolution`. */
function titleOf(resource: string): string {
  const words = resource.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
