import type { Case } from "../../contract/chat/cases.js";
import type { ReadWorkflow } from "../../contract/chat/workflows.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { findDredd } from "./dredd/find-dredd.js";
import { needsStates } from "./needs-states.js";
import type { Probe } from "./probes/probe.js";
import { requireKeys } from "./require-keys.js";
import { requireStates } from "./require-states.js";
import type { SendLimits } from "./send-request.js";
import { findRedocly } from "./workflows/respect-process.js";

/** The checks of a run. */
export interface ChosenChecks {
  readonly cases: readonly Case[];
  readonly workflows: readonly ReadWorkflow[];
  readonly probes: readonly Probe[];
}

/**
 * Makes sure that there is what it takes to run checks, before the first of them: the tools, a server that sets provider states up, and
 * keys that its API takes. Without `statesUrl`, what needs states does not run. Rejects with a `CouldNotRunError` that says what to do,
 * and with the reason of the signal when that is aborted.
 */
export async function requireMeans(
  { cases, workflows, probes }: ChosenChecks,
  { url, statesUrl }: { readonly url: string; readonly statesUrl?: string },
  limits: SendLimits,
): Promise<void> {
  const hasStates = statesUrl !== undefined;
  const stateful = {
    cases: cases.filter(needsStates),
    workflows: workflows.filter(({ states }) => states.length > 0),
    probes: probes.filter(({ states }) => states),
  };
  requireTools([
    ...(cases.length > (hasStates ? 0 : stateful.cases.length) ? [findDredd] : []),
    ...(workflows.length > (hasStates ? 0 : stateful.workflows.length) ? [findRedocly] : []),
  ]);
  if (!hasStates || Object.values(stateful).every(({ length }) => length === 0)) return;
  await requireKeys(url, await requireStates(statesUrl, limits), limits);
}

/** Names every tool that is missing at once. */
function requireTools(finders: readonly (() => string)[]): void {
  const problems = finders.flatMap((find) => {
    try {
      find();
      return [];
    } catch (error) {
      if (error instanceof CouldNotRunError) return [error.message];
      throw error;
    }
  });
  if (problems.length > 0) throw new CouldNotRunError(problems.join("\n"));
}
