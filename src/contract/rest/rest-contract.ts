import { readFile } from "node:fs/promises";
import type { Conventions } from "./conventions.js";
import type { ContractDocument } from "./document.js";
import { levelsOfChange } from "./features.js";
import type { StatesCatalogue } from "./states.js";
import type { ResponseValidators } from "./validator.js";
import type { Workflow } from "./workflows.js";

/** A contract in OpenAPI, with what lies beside its document. */
export interface RestContract {
  /** As `accord.yaml` names it. */
  readonly name: string;
  /** The document as of the newest level. */
  readonly document: ContractDocument;
  readonly workflows: readonly Workflow[];
  readonly states: StatesCatalogue;
  /** The folder of its checks in code. Undefined if there is none. */
  readonly checks?: URL;
  /** The newest feature level; 0 if the contract has no levels. */
  readonly newestLevel: number;
  /** Whether its plain examples are cases. Otherwise only those with `x-case` are. */
  readonly hasExamples?: boolean;
  /** Names of operations and checks that no run sends. */
  readonly exclude?: readonly string[];
  /** The validators of the newest level, if they were compiled ahead. */
  readonly validators?: ResponseValidators;
}

const generated = new URL("../../../generated/", import.meta.url);

const shipped = new Map<string, Promise<RestContract>>();

/** Loads a contract that this package ships, once. `npm run generate` writes its files. */
export function shippedContract(name: string): Promise<RestContract> {
  const loading = shipped.get(name) ?? loadShipped(name);
  shipped.set(name, loading);
  loading.catch(() => shipped.delete(name));
  return loading;
}

async function loadShipped(name: string): Promise<RestContract> {
  const folder = new URL(`${name}/`, generated);
  const [document, workflows, states, { responseValidators: validators }] = await Promise.all([
    shippedDocument(name),
    readJson<Workflow[]>("workflows.json", folder),
    readJson<StatesCatalogue>("states.json", folder),
    import(new URL("validators.js", folder).href) as Promise<{ readonly responseValidators: ResponseValidators }>,
  ]);
  const checks = new URL("../../../openapi/checks/", import.meta.url);
  return { name, document, workflows, states, checks, newestLevel: newestLevelOf(document), validators };
}

/** Loads the document of a contract that this package ships. Reads its JSON, which takes a fiftieth of the time that the YAML takes. */
export async function shippedDocument(name: string): Promise<ContractDocument> {
  const folder = new URL(`${name}/`, generated);
  const [document, conventions] = await Promise.all([
    readJson<ContractDocument>("openapi.json", folder),
    readJson<Conventions>("conventions.json", folder),
  ]);
  return { ...document, "x-accord": conventions };
}

/** The newest feature level of a document; 0 if it has none. */
export function newestLevelOf(document: ContractDocument): number {
  return Math.max(...levelsOfChange(document));
}

async function readJson<Content>(name: string, folder: URL): Promise<Content> {
  return JSON.parse(await readFile(new URL(name, folder), "utf8"));
}
