import { readFile } from "node:fs/promises";
import type { Case } from "../contract/rest/cases.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { type RestContract, shippedContract, shippedDocument } from "../contract/rest/rest-contract.js";
import type { StatesCatalogue } from "../contract/rest/states.js";
import type { Workflow } from "../contract/rest/workflows.js";

/** The name of the contract in `accord.yaml`. */
const name = "chat";

/** Loads the contract of the chat service. */
export function chatContract(): Promise<RestContract> {
  return shippedContract(name);
}

/** Loads its bundled document. */
export function loadContract(): Promise<ContractDocument> {
  return shippedDocument(name);
}

/** Loads its workflows, which `npm run generate` makes from `openapi/behaviour`. */
export async function loadWorkflows(): Promise<readonly Workflow[]> {
  return (await chatContract()).workflows;
}

/** Loads its provider states. */
export async function loadStatesCatalogue(): Promise<StatesCatalogue> {
  return (await chatContract()).states;
}

/** Loads its cases. They are those of `listCases`, generated because reading the whole contract takes longer. */
export async function loadCases(): Promise<Case[]> {
  return JSON.parse(await readFile(new URL("../../generated/chat/cases.json", import.meta.url), "utf8"));
}

/** The credentials of a caller in the answers of provider states. */
export interface CallerCredentials {
  readonly user_id: number;
  readonly email: string;
  readonly api_key: string;
}
