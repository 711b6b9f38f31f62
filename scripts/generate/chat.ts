import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExpandedWorkflows } from "../../src/behaviour/expand-workflows.js";
import { listCases } from "../../src/contract/rest/cases.js";
import { formatContract } from "../../src/contract/rest/contract-file.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { generatorsProfile } from "../../src/contract/rest/profiles/generators-profile.js";
import { readStates } from "../../src/contract/rest/states/states-document.js";
import { featureLevelModule } from "./feature-level-table.js";
import { operationsModule } from "./operation-table.js";
import { requestLevelsModule } from "./request-levels.js";
import { stateValidatorsModule, stateValidatorsTypes } from "./state-validators.js";
import { statesModule } from "./states.js";
import { typesModule } from "./types.js";
import { validatorsModule, validatorsTypes } from "./validators.js";

const statesFile = fileURLToPath(new URL("../../openapi/states.yaml", import.meta.url));

/**
 * Generates everything that depends on the bundled REST contract and its provider states into `outDir`, which replaces
 * `generated/chat`.
 */
export async function generateChat(
  document: ContractDocument,
  { workflows, problems }: ExpandedWorkflows,
  outDir: string,
): Promise<void> {
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const states = readStates(statesFile);
  const files: Record<string, string> = {
    "openapi.yaml": `# Written by \`npm run generate\`. Not to be edited.\n${formatContract(document, "yaml")}`,
    "openapi.json": `${JSON.stringify({ ...document, "x-accord": undefined }, undefined, 1)}\n`,
    "conventions.json": `${JSON.stringify(document["x-accord"], undefined, 1)}\n`,
    "openapi.generators.yaml": `# Written by \`npm run generate\`. Not to be edited.\n${formatContract(generatorsProfile(document), "yaml")}`,
    "cases.json": `${JSON.stringify(listCases(document), null, 1)}\n`,
    "operations.ts": operationsModule(document),
    "types.ts": await typesModule(document),
    "feature-levels.ts": featureLevelModule(document),
    "request-levels.ts": requestLevelsModule(document),
    "validators.js": await validatorsModule(document),
    "validators.d.ts": validatorsTypes(document),
    "states.json": `${JSON.stringify(states, undefined, 1)}\n`,
    "states.ts": await statesModule(states),
    "state-validators.js": await stateValidatorsModule(states),
    "state-validators.d.ts": stateValidatorsTypes,
    // One in each line, so that a change of a workflow is a change of its line.
    "workflows.json": `[\n${workflows.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(outDir, name)), { recursive: true });
    await writeFile(join(outDir, name), content);
  }
  await copyFile(statesFile, join(outDir, "states.yaml"));
}
