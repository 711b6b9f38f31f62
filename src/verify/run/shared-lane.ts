import type { Check } from "../../contract/check.js";
import type { CheckRun, Prepared } from "./run-steps.js";
import { needsStates, prepare, runPrepared, runSteps, withoutStates } from "./run-steps.js";
import type { Session } from "./session.js";

/** Runs checks that may share an organization. */
export interface SharedRunner {
  /** Runs a check, in a shared organization if it `shares`. */
  readonly run: (check: Check) => Promise<CheckRun>;
  /** Runs a check once, in the shared organization or in a fresh one, which becomes the shared one. */
  readonly attempt: (check: Check, where: "shared" | "fresh") => Promise<CheckRun>;
}

/**
 * Creates a runner of checks that run one after another. Checks from the same states share an organization until a request may have changed
 * it, because setting one up takes far longer than a request. A failure of such a check counts only if the check fails in a fresh
 * organization as well, unless the contract forbids the response anyway, and only if its `control` passes. A server that was restarted,
 * as `restarts` counts, may have lost its organizations.
 */
export function createSharedRunner(
  createSession: (check: string) => Session,
  restarts: () => number = () => 0,
  isRead: (check: Check) => boolean = () => false,
): SharedRunner {
  const organizations = new Map<string, Prepared | CheckRun>();

  async function attempt(check: Check, where: "shared" | "fresh"): Promise<CheckRun> {
    const session = createSession(check.id);
    if (!needsStates(check)) return runSteps(check, session);
    if (!session.hasStates) return withoutStates;
    const key = `${restarts()} ${JSON.stringify(check.steps.filter(({ kind }) => kind === "state"))}`;
    const known = where === "shared" ? organizations.get(key) : undefined;
    const prepared = known ?? (await prepare(check, session));
    if (!("lost" in prepared)) organizations.set(key, prepared);
    // A failed setup is not repeated for every check that needs it, and counts once as unanswered.
    if ("outcome" in prepared) return { ...prepared, isAnswered: prepared.isAnswered || known !== undefined };
    const own = prepared.session.fork();
    const result = await runPrepared(check, { ...prepared, session: own });
    if (own.mayHaveChanged()) organizations.delete(key);
    return result;
  }

  return {
    attempt,
    run: async (check) => {
      if (!check.shares) return attempt(check, "fresh");
      const first = await attempt(check, "shared");
      if (!isFailure(first) || first.outcome.forbidden) return first;
      // Without states, no organization is fresh, and what writes is not sent again.
      const again = needsStates(check) || isRead(check) ? await attempt(check, "fresh") : first;
      if (!isFailure(again) || check.control === undefined) return again;
      const control = await attempt({ ...check, steps: check.control }, "fresh");
      if (control.lost !== undefined) return control;
      if (control.outcome.kind === "passed" || isDeviation(control)) return again;
      const reason = "the correct request on which the check is based does not succeed";
      return { outcome: { kind: "skipped", reason }, isAnswered: control.isAnswered };
    },
  };
}

/** Whether steps failed, and did not just deviate from a recommended status. */
function isFailure(run: CheckRun): run is CheckRun & { outcome: { kind: "failed"; forbidden?: boolean } } {
  return run.outcome.kind === "failed" && !isDeviation(run);
}

function isDeviation({ outcome }: CheckRun): boolean {
  return outcome.kind === "failed" && outcome.shown !== undefined;
}
