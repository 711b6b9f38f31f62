import type { Check, Step } from "../../contract/check.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import { type CheckProgress, claimed, type End, flat, nameOf, rulesOfStep } from "./progress.js";
import type { Session } from "./session.js";

/** The outcome of a check that ended at a step. */
export async function outcomeAt(
  check: Check,
  index: number,
  end: End,
  session: Session,
  progress: CheckProgress,
): Promise<CheckOutcome> {
  const step = check.steps[index] as Step;
  const name = nameOf(check, step);
  switch (end.kind) {
    case "broken": {
      const broken = end.rules ?? rulesOfStep(check, step);
      return {
        kind: "failed",
        problems: [
          ...end.problems.map((problem) => `${name}${problem}`),
          ...progress.deviations.map(({ problem }) => problem),
        ].map(session.mask),
        broken: [...broken, ...progress.deviations.map(({ rule }) => rule)],
        ...(end.isForbidden ? { forbidden: true } : {}),
        ...(end.letThrough ? { letThrough: true } : {}),
        trace: await session.trace(),
      };
    }
    case "not-run": {
      const { reason, help } = end;
      const outcome = {
        kind: "errored",
        reason: session.mask(`${name}${reason}`),
        trace: await session.trace(),
      } as const;
      return help === undefined ? outcome : { ...outcome, help };
    }
    case "not-shown":
      if (progress.deviations.length > 0)
        return { ...(await deviatingOutcome(session, progress)), shown: end.shown ?? [] };
      return {
        ...{ kind: "skipped", reason: session.mask(`${name}${end.reason}`) },
        need: end.need,
      };
    case "lacking": {
      const rulesOf = (steps: readonly Step[]) => new Set(flat(steps).flatMap(({ rules = [] }) => rules));
      const [earlier, later] = [rulesOf(check.steps.slice(0, index)), rulesOf(check.steps.slice(index))];
      const shown = check.rules.filter((rule) => earlier.has(rule) && !later.has(rule) && !progress.hidden.has(rule));
      const reason = session.mask(`${name}${end.reason}`);
      if (shown.length > 0) return { kind: "passed", shown, reason };
      return { kind: "skipped", reason, need: end.need };
    }
  }
}

/** The outcome of a check whose steps have all run. */
export async function passedOutcome(check: Check, session: Session, progress: CheckProgress): Promise<CheckOutcome> {
  const { deviations, hidden } = progress;
  const broken = deviations.map(({ rule }) => rule);
  const shown = check.rules.filter((rule) => !hidden.has(rule) && !broken.includes(rule));
  const [reason] = hidden.values();
  const hasClaims = flat(check.steps).some((step) => claimed(step).length > 0);
  if (hasClaims && reason !== undefined && shown.length === 0 && broken.length === 0)
    return { kind: "skipped", reason };
  if (deviations.length === 0) return reason === undefined ? { kind: "passed" } : { kind: "passed", shown, reason };
  return { ...(await deviatingOutcome(session, progress)), shown };
}

async function deviatingOutcome(
  session: Session,
  { deviations, requestsToDeviation }: CheckProgress,
): Promise<Extract<CheckOutcome, { readonly kind: "failed" }>> {
  return {
    kind: "failed",
    problems: deviations.map(({ problem }) => session.mask(problem)),
    broken: [...new Set(deviations.map(({ rule }) => rule))],
    trace: (await session.trace()).slice(0, requestsToDeviation),
  };
}
