import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listCases } from "../../src/contract/chat/cases.js";
import { formatContract } from "../../src/contract/chat/contract-file.js";
import type { ContractDocument } from "../../src/contract/chat/document.js";
import { generatorsProfile } from "../../src/contract/chat/profiles/generators-profile.js";
import { prismProfile } from "../../src/contract/chat/profiles/prism-profile.js";
import { readStates } from "../states/states-document.js";
import { featureLevelModule } from "./feature-level-table.js";
import { operationsModule } from "./operation-table.js";
import { requestLevelsModule } from "./request-levels.js";
import { stateValidatorsModule, stateValidatorsTypes } from "./state-validators.js";
import { statesModule } from "./states.js";
import { typesModule } from "./types.js";
import { validatorsModule, validatorsTypes } from "./validators.js";
import { type ExpandedWorkflows, generateWorkflows } from "./workflows/generate-workflows.js";

const statesFile = fileURLToPath(new URL("../../openapi/states.yaml", import.meta.url));

/**
 * Generates everything that depends on the bundled REST contract and its provider states into `outDir`, which replaces
 * `generated/chat`.
 */
export async function generateChat(
  document: ContractDocument,
  workflows: ExpandedWorkflows,
  outDir: string,
): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const states = readStates(statesFile);
  const files: Record<string, string> = {
    "openapi.yaml": `# Written by \`npm run generate\`. Not to be edited.\n${formatContract(document, "yaml")}`,
    "openapi.json": `${JSON.stringify(document, undefined, 1)}\n`,
    "openapi.generators.yaml": `# Written by \`npm run generate\`. Not to be edited.\n${formatContract(generatorsProfile(document), "yaml")}`,
    "openapi.prism.json": formatContract(prismProfile(document), "json"),
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
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(outDir, name), content);
  // The workflows reference the contract and the states in the same folder.
  await copyFile(statesFile, join(outDir, "states.yaml"));
  await generateWorkflows(workflows, join(outDir, "workflows.json"));
}
