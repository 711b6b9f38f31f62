import type { Check, Step } from "../../contract/check.js";
import type { CheckOutcome } from "../model/check-result.js";
import { claimed, type End, flat, nameOf, type Progress, unnamedRules } from "./progress.js";
import type { Session } from "./session.js";

/** The outcome of a check that ended at a step. */
export async function outcomeAt(
  check: Check,
  index: number,
  end: End,
  session: Session,
  progress: Progress,
): Promise<CheckOutcome> {
  const step = check.steps[index] as Step;
  const name = nameOf(check, step);
  switch (end.kind) {
    case "broken": {
      const broken = end.rules ?? [...new Set([...(step.rules ?? []), ...unnamedRules(check)])];
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
      return {
        ...{ kind: "skipped", reason: session.mask(`${name}${end.reason}`) },
        ...(end.need === undefined ? {} : { need: end.need }),
      };
    case "lacking": {
      const rulesOf = (steps: readonly Step[]) => new Set(flat(steps).flatMap(({ rules = [] }) => rules));
      const [earlier, later] = [rulesOf(check.steps.slice(0, index)), rulesOf(check.steps.slice(index))];
      const shown = check.rules.filter((rule) => earlier.has(rule) && !later.has(rule) && !progress.hidden.has(rule));
      const reason = session.mask(`${name}${end.reason}`);
      if (shown.length > 0) return { kind: "passed", shown, reason };
      return { kind: "skipped", reason, ...(end.need === undefined ? {} : { need: end.need }) };
    }
  }
}

/** The outcome of a check whose steps have all run. */
export async function passedOutcome(
  check: Check,
  session: Session,
  { deviations, hidden }: Progress,
): Promise<CheckOutcome> {
  const broken = [...new Set(deviations.map(({ rule }) => rule))];
  const shown = check.rules.filter((rule) => !hidden.has(rule) && !broken.includes(rule));
  const [reason] = hidden.values();
  const hasClaims = flat(check.steps).some((step) => claimed(step).length > 0);
  if (hasClaims && reason !== undefined && shown.length === 0 && broken.length === 0)
    return { kind: "skipped", reason };
  if (deviations.length === 0) return reason === undefined ? { kind: "passed" } : { kind: "passed", shown, reason };
  return {
    kind: "failed",
    problems: deviations.map(({ problem }) => session.mask(problem)),
    broken,
    shown,
    trace: await session.trace(),
  };
}
