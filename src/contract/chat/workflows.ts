import { readFile } from "node:fs/promises";
import type { Check } from "../check.js";

/** A workflow of `openapi/behaviour`. */
export interface Workflow extends Check {
  readonly kind: "workflow";
  /** The file and line of its source. */
  readonly source: string;
}

/** Loads the workflows of the contract, which `npm run generate` makes from `openapi/behaviour`. */
export async function loadWorkflows(): Promise<Workflow[]> {
  return JSON.parse(await readFile(new URL("../../../generated/chat/workflows.json", import.meta.url), "utf8"));
}
