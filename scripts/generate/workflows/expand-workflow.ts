import type { ReadBack } from "../../../src/contract/chat/read-back.js";
import type { Rule } from "../../../src/contract/chat/rule.js";
import { statusRecommendation } from "../../../src/contract/chat/rules.js";
import type { WorkflowInputs } from "../../../src/contract/chat/workflows.js";
import { mapTexts } from "../../map-texts.js";
import { reliesOnProblems } from "../../relies-on-problems.js";
import { didYouMean, type Problem } from "../../yaml-source.js";
import { addReadBacks } from "./add-read-backs.js";
import { type ArazzoStep, expandStep, type StepContext } from "./expand-step.js";
import { createLiteralTexts } from "./literal-texts.js";
import { type Complain, type NamedStep, nameSteps } from "./name-steps.js";
import type { WorkflowFile } from "./read-workflow-files.js";
import { addOutputs } from "./step-outputs.js";
import { type Component, rulesOf, type WorkflowSource } from "./workflow-source.js";

/** The names that a workflow may use. */
export interface WorkflowNames extends Pick<StepContext, "catalogue" | "operations"> {
  readonly components: Readonly<Record<string, Component>>;
  /** The read-back of the contract; undefined if it has none. */
  readonly readBack: ReadBack | undefined;
  readonly rules: readonly Rule[];
}

/** An Arazzo workflow. */
export interface ArazzoWorkflow {
  readonly workflowId: string;
  readonly summary: string;
  /** The file and line of its source. */
  readonly "x-source": string;
  readonly "x-rules": readonly string[];
  /** The recommendations that the workflow relies on. */
  readonly "x-relies-on"?: readonly string[];
  readonly inputs?: WorkflowInputs;
  readonly steps: readonly ArazzoStep[];
}

/** Converts a workflow to Arazzo. Adds its problems to `problems`; use the result only if there are none. */
export function expandWorkflow(
  file: WorkflowFile,
  [workflowId, workflow]: readonly [string, WorkflowSource],
  names: WorkflowNames,
  problems: Problem[],
): ArazzoWorkflow {
  const complain: Complain = (path, text) =>
    problems.push(file.problem([workflowId, ...path], `workflow ${workflowId}: ${text}`));
  const at = (path: readonly (string | number)[]) => `${file.name}:${file.lineOf([workflowId, ...path])}`;
  checkRules(workflow, names.rules, complain);
  const rules = rulesOf(workflow);
  const { "relies-on": reliesOn } = workflow;
  for (const { index, text } of reliesOnProblems(reliesOn, names.rules)) complain(["relies-on", index], text);
  const written = nameSteps(workflow, names.components, complain);
  const { readBack } = names;
  const named = readBack === undefined ? written : addReadBacks(written, workflow.as, readBack);
  const isRead = named.length > written.length;
  const first = named.find(({ kind }) => kind === "setup")?.id;
  const statusRule = (shown: readonly string[]) => statusRecommendation(names.rules, shown);
  const texts = createLiteralTexts();
  const context = { ...names, workflowId, as: workflow.as, first, complain, workflowRules: rules, statusRule, texts };
  const steps = named.map((step) => expandStep(step, { ...context, source: at(step.path) }));
  const inputs = texts.inputs();
  return {
    workflowId,
    summary: workflow.summary,
    "x-source": at([]),
    "x-rules": [...rules, ...(isRead && readBack !== undefined ? [readBack.rule] : [])],
    ...(reliesOn === undefined ? {} : { "x-relies-on": reliesOn }),
    ...(inputs === undefined ? {} : { inputs }),
    steps: renameSetups(workflowId, addOutputs(steps, named, names.catalogue, complain), named),
  };
}

/**
 * Prefixes the names of setups with that of the workflow. The Redocly rule `outputs-defined` confuses steps of the same
 * name, even across the workflows of a file.
 */
function renameSetups(workflowId: string, steps: readonly ArazzoStep[], named: readonly NamedStep[]): ArazzoStep[] {
  const setups = new Set(named.flatMap(({ kind, id }) => (kind === "setup" ? id : [])));
  const rename = (id: string) => (setups.has(id) ? `${workflowId}-${id}` : id);
  return steps.map((step) => ({
    ...mapTexts(step, (text) => text.replace(/\$steps\.([\w-]+)/g, (_, id: string) => `$steps.${rename(id)}`)),
    stepId: rename(step.stepId),
  }));
}

function checkRules(workflow: WorkflowSource, all: WorkflowNames["rules"], complain: Complain): void {
  const { rules = [], steps } = workflow;
  const known = all.map(({ id }) => id);
  const check = (ids: readonly string[], path: readonly (string | number)[]) => {
    for (const [index, id] of ids.entries()) {
      if (!known.includes(id)) complain([...path, index], `there is no rule \`${id}\`: ${didYouMean(id, known)}`);
    }
  };
  if (rulesOf(workflow).length === 0) complain([], "it names no rule: add `rules` to it or to a step");
  check(rules, ["rules"]);
  for (const [index, step] of steps.entries()) {
    check(step.rules ?? [], ["steps", index, "rules"]);
    for (const id of step.rules ?? []) {
      if (!rules.includes(id)) continue;
      complain(["rules", rules.indexOf(id)], `a step names \`${id}\` too: remove it here`);
    }
  }
}
