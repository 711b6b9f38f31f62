import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Compared } from "./read-back.js";
import type { WorkflowRules } from "./rule-coverage.js";

/** A workflow and the provider states that it sets up. */
export interface ReadWorkflow extends WorkflowRules {
  /** The name of its file. */
  readonly file: string;
  /** The subject of the file. */
  readonly resource: string;
  readonly summary: string;
  readonly states: readonly string[];
  /** The recommendations that the workflow relies on. Defaults to none. */
  readonly reliesOn?: readonly string[];
  readonly steps: readonly WorkflowStep[];
  /** The Arazzo 1.0.1 source of the workflow, without its steps. */
  readonly source: { readonly inputs?: WorkflowInputs };
}

/** The inputs of a workflow: by name, texts that look like expressions. */
export interface WorkflowInputs {
  readonly type: "object";
  readonly properties: Readonly<Record<string, { readonly type: "string"; readonly default: string }>>;
}

/** The fields of a step that are read. */
export interface WorkflowStep {
  readonly stepId: string;
  /** The rules of the workflow that this step breaks if it fails. */
  readonly "x-rules"?: readonly string[];
  /** JSON pointers into the response. If one points to a missing or empty value, the step does not show its rules. */
  readonly "x-shown"?: readonly string[];
  /**
   * Only in a read before or after a refused request. The latter names the former in `since`: both must read the same.
   */
  readonly "x-read-back"?: { readonly since?: string } & Partial<Compared>;
  /** The status that the error of this step should have, and the rule that recommends it. Its criteria allow any refusal. */
  readonly "x-recommended-status"?: { readonly status: number; readonly rule: string };
  /** `$sourceDescriptions.chat.<operationId>` or `$sourceDescriptions.states.changeState`. */
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in?: string; readonly value?: unknown }[];
  readonly requestBody?: {
    readonly contentType?: string;
    readonly payload?: Readonly<Record<string, unknown>> & { readonly state?: string };
  };
  readonly successCriteria?: readonly SuccessCriterion[];
  /** Runtime expressions by name. */
  readonly outputs?: Readonly<Record<string, string>>;
}

/** A condition that must hold after a step. */
export interface SuccessCriterion {
  readonly condition: string;
  /** The runtime expression that the condition applies to, unless the type is `simple`. */
  readonly context?: string;
  readonly type?: string;
}

interface WorkflowSource {
  readonly workflowId: string;
  readonly summary?: string;
  readonly "x-rules"?: readonly string[];
  readonly "x-relies-on"?: readonly string[];
  readonly inputs?: WorkflowInputs;
  readonly steps?: readonly WorkflowStep[];
}

/** The folder of the workflows that `npm run generate` makes from `openapi/behaviour`. Paths in a workflow are relative to it. */
export const workflowFolder = fileURLToPath(new URL("../../../generated/chat/behaviour/", import.meta.url));

/** The documents of `workflowFolder` in one file, which the build writes because JSON takes a fiftieth of the time to read. */
const builtFile = new URL("../../../generated/chat/workflows.json", import.meta.url);

const suffix = ".arazzo.yaml";

/** Reads the Arazzo workflows of each file in `workflowFolder`, ordered by file name. */
export function readWorkflowSources(): Readonly<Record<string, readonly WorkflowSource[]>> {
  if (existsSync(builtFile)) return JSON.parse(readFileSync(builtFile, "utf8"));
  const files = readdirSync(workflowFolder).filter((file) => file.endsWith(suffix));
  return Object.fromEntries(
    files.sort().map((file) => [file, parse(readFileSync(join(workflowFolder, file), "utf8")).workflows]),
  );
}

/** Reads all workflows of this package. */
export function readWorkflows(): ReadWorkflow[] {
  return Object.entries(readWorkflowSources()).flatMap(([file, workflows]) => {
    return workflows.map(({ steps = [], ...source }) => {
      const { workflowId, summary = workflowId, "x-rules": rules = [], "x-relies-on": reliesOn } = source;
      const states = steps.flatMap(({ requestBody }) => requestBody?.payload?.state ?? []);
      const conditional = conditionalRules(steps, rules);
      return {
        file,
        resource: file.slice(0, -suffix.length),
        workflowId,
        summary,
        rules,
        conditional,
        states,
        ...(reliesOn === undefined ? {} : { reliesOn }),
        steps,
        source,
      };
    });
  });
}

/** The rules that a workflow shows only if the response has a value that it may omit. `rules` are those of the workflow. */
export function conditionalRules(
  steps: readonly Pick<WorkflowStep, "x-shown" | "x-rules">[],
  rules: readonly string[],
): string[] {
  return steps.flatMap((step) => (step["x-shown"] === undefined ? [] : [...(step["x-rules"] ?? rules)]));
}
