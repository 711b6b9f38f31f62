import type { ReadBack } from "../contract/rest/read-back.js";
import { reliesOnProblems } from "../contract/rest/relies-on-problems.js";
import type { Rule } from "../contract/rest/rule.js";
import { statusRecommendation } from "../contract/rest/rules.js";
import type { Workflow } from "../contract/rest/workflows.js";
import { didYouMean, type Problem } from "../contract/yaml-source.js";
import { addReadBacks } from "./add-read-backs.js";
import { expandStep, type StepContext } from "./expand-step.js";
import { type Complain, nameSteps } from "./name-steps.js";
import type { WorkflowFile } from "./read-workflow-files.js";
import { addValues } from "./step-values.js";
import { type Component, rulesOf, type WorkflowSource } from "./workflow-source.js";

/** The names that a workflow may use. */
export interface WorkflowNames extends Pick<StepContext, "catalogue" | "callers" | "credentials" | "operations"> {
  readonly components: Readonly<Record<string, Component>>;
  /** The read-back of the contract; undefined if it has none. */
  readonly readBack: ReadBack | undefined;
  readonly rules: readonly Rule[];
}

/** Converts a workflow to the form in which it runs. Adds its problems to `problems`; use the result only if there are none. */
export function expandWorkflow(
  file: WorkflowFile,
  [workflowId, workflow]: readonly [string, WorkflowSource],
  names: WorkflowNames,
  problems: Problem[],
): Workflow {
  const complain: Complain = (path, text) =>
    problems.push(file.problem([workflowId, ...path], `workflow ${workflowId}: ${text}`));
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
  const context = { ...names, as: workflow.as, first, complain, workflowRules: rules, statusRule };
  const steps = named.map((step) => expandStep(step, context));
  return {
    id: `workflow ${workflowId}`,
    kind: "workflow",
    operation: file.resource,
    summary: workflow.summary,
    rules: [...rules, ...(isRead && readBack !== undefined ? [readBack.rule] : [])],
    reliesOn,
    ...(workflow["known-levels-only"] === true ? { knownLevelsOnly: true } : {}),
    ...(workflow["leaves-nothing"] === true ? { leavesNothing: true } : {}),
    source: `${file.name}:${file.lineOf([workflowId])}`,
    steps: addValues(steps, named, names.catalogue, complain),
  };
}

/** The ids of a list of rules, made once: each of thousands of workflows looks for its own. */
const knownIds = new WeakMap<readonly Rule[], ReadonlySet<string>>();

function idsOf(rules: readonly Rule[]): ReadonlySet<string> {
  const ids = knownIds.get(rules) ?? new Set(rules.map(({ id }) => id));
  knownIds.set(rules, ids);
  return ids;
}

function checkRules(workflow: WorkflowSource, all: WorkflowNames["rules"], complain: Complain): void {
  const { rules = [], steps } = workflow;
  const known = idsOf(all);
  const check = (ids: readonly string[], path: readonly (string | number)[]) => {
    for (const [index, id] of ids.entries()) {
      if (!known.has(id)) complain([...path, index], `there is no rule \`${id}\`: ${didYouMean(id, [...known])}`);
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
