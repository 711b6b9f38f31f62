import { excerpt, type Mask } from "../../excerpt.js";
import { createShow } from "../create-show.js";
import { evaluate, type StepOfRun } from "./evaluate.js";
import type { RespectCheck } from "./respect-report.js";

/** A step, and what is needed to tell of it. */
export interface StepContext extends StepOfRun {
  /** Masks what is quoted. */
  readonly mask: Mask;
}

/** What a failed check expected and what came instead, in a sentence. */
export function expectedAndGot(check: RespectCheck, context: StepContext): string {
  if (check.condition !== undefined && check.name.startsWith("success criteria")) {
    return describeCriterion(check.condition, context);
  }
  return `${check.name}: ${sentences(check.message, context.mask)}; got ${statusAndBody(context)}`;
}

function statusAndBody({ step, mask }: StepContext): string {
  const { statusCode, body } = step.response;
  return body === undefined ? String(statusCode) : `${statusCode} with ${createShow(mask)(body)}`;
}

/** The message without its frames and lists. */
function sentences(message: string, mask: Mask): string {
  const lines = message.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !/^(?:>|\d+ \||\|)/.test(line));
  return excerpt(telling.join(" ").replace(/\s+/g, " "), 500, mask);
}

function describeCriterion(condition: string, context: StepContext): string {
  const { workflow, step } = context;
  const criteria = workflow.steps.find(({ stepId }) => stepId === step.stepId)?.successCriteria ?? [];
  const { context: about, type } = criteria.find((criterion) => criterion.condition === condition) ?? {};
  const show = createShow(context.mask);
  const isKnown = step.response.body !== undefined || !`${about} ${condition}`.includes("$response.body");
  if (about !== undefined) {
    const phrase = type === "regex" ? `${about} to match ${condition}` : `${condition} in ${about}`;
    return `expected ${phrase}, got ${isKnown ? show(evaluate(about, context)) : "something else"}`;
  }
  const expressions = [...new Set(condition.match(/\$[\w.-]+(?:#[^\s"'()]*)?/g) ?? [])];
  // What a status says is in the body.
  if (expressions.join() === "$statusCode") return `expected ${condition}, got ${statusAndBody(context)}`;
  if (!isKnown) return `expected ${condition}, got something else`;
  return `expected ${condition}, got ${expressions.map((one) => `${one} = ${show(evaluate(one, context))}`).join(", ")}`;
}
