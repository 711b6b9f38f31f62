import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { WorkflowRules } from "../../src/contract/rule-coverage.js";

const behaviour = fileURLToPath(new URL("../../openapi/behaviour", import.meta.url));

/** A workflow with the provider states that it sets up. */
export interface ReadWorkflow extends WorkflowRules {
  /** The name of its file. */
  readonly file: string;
  readonly states: readonly string[];
}

/** Every workflow of `openapi/behaviour`. */
export function readWorkflows(folder: string = behaviour): ReadWorkflow[] {
  return readdirSync(folder).flatMap((file) => {
    const document: { workflows?: { workflowId: string; "x-rules"?: string[]; steps?: Step[] }[] } = parse(
      readFileSync(join(folder, file), "utf8"),
    );
    return (document.workflows ?? []).map(({ workflowId, "x-rules": rules = [], steps = [] }) => ({
      file,
      workflowId,
      rules,
      states: steps.flatMap(({ requestBody }) => requestBody?.payload?.state ?? []),
    }));
  });
}

interface Step {
  readonly requestBody?: { readonly payload?: { readonly state?: string } };
}
