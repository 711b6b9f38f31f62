import type { Check, CheckOutcome } from "../check.js";
import type { VerifyReport } from "../verify-report.js";

/**
 * The effect of a check's outcome on the run. `deviating`: the server does not follow a recommendation. `expected`: it
 * failed or deviated, and is known to. `stale`: it passed although it is known to fail. Only `failed` and `stale` make
 * a run fail.
 */
export type Verdict = "passed" | "failed" | "deviating" | "expected" | "stale" | "skipped" | "errored";

/** Every verdict, problems first. */
export const verdicts = [
  "failed",
  "stale",
  "errored",
  "deviating",
  "expected",
  "skipped",
  "passed",
] as const satisfies Verdict[];

/** The names of verdicts as displayed. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  passed: "passed",
  failed: "failed",
  deviating: "deviating",
  expected: "known to fail",
  stale: "passed unexpectedly",
  skipped: "skipped",
  errored: "could not run",
};

/** The verdict on a check. */
export function verdictOf({ id, outcome }: Check, knownFailing: VerifyReport["knownFailing"]): Verdict {
  const known = knownFailing.has(id);
  switch (outcome.kind) {
    case "passed":
      return known ? "stale" : "passed";
    case "failed":
      return known ? "expected" : "failed";
    case "deviated":
      return known ? "expected" : "deviating";
    case "skipped":
    case "errored":
      return outcome.kind;
  }
}

/** Counts the checks by verdict. */
export function countVerdicts({ checks, knownFailing }: VerifyReport): Record<Verdict, number> {
  const counts = { passed: 0, failed: 0, deviating: 0, expected: 0, stale: 0, skipped: 0, errored: 0 };
  for (const check of checks) counts[verdictOf(check, knownFailing)]++;
  return counts;
}

/** A check with an outcome of one kind. */
export type CheckWith<Kind extends CheckOutcome["kind"]> = Check & {
  readonly outcome: Extract<CheckOutcome, { readonly kind: Kind }>;
};

/** Whether a check found problems. */
export function hasProblems(check: Check): check is CheckWith<"failed" | "deviated"> {
  return hasOutcome(check, "failed") || hasOutcome(check, "deviated");
}

/** Whether a check has an outcome of a kind. */
export function hasOutcome<Kind extends CheckOutcome["kind"]>(check: Check, kind: Kind): check is CheckWith<Kind> {
  return check.outcome.kind === kind;
}
