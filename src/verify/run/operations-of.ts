import type { Check, Step } from "../../contract/check.js";

/** The operations that a check calls, each once. */
export function operationsOf(check: Pick<Check, "steps"> | undefined): string[] {
  return [...new Set((check?.steps ?? []).flatMap(callsOf))];
}

function callsOf(step: Step): string[] {
  if (step.kind === "parallel") return step.steps.flatMap(callsOf);
  return step.kind === "call" && step.call !== undefined ? [step.call] : [];
}
