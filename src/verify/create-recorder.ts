import { stoppedBeforeChecks } from "../base/could-not-run-error.js";
import type { CheckResult } from "../report/model/check-result.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import { listRecommendations, type RatedRule, rateFailure, skipReliant } from "./deviation.js";
import type { RunOptions } from "./run-options.js";

/** Collects the checks of a run. */
export interface Recorder {
  /** Announces the number of checks. */
  readonly plan: (count: number) => void;
  readonly add: (check: CheckResult) => void;
  /** Ends the run with what it has. */
  readonly stop: () => void;
  /** Aborted when the run must end: by the signal of its options, by `bail`, or by a listener that throws. */
  readonly signal: AbortSignal;
  /**
   * Returns the report of the collected checks, sorted by id. Rethrows an error of a listener. Throws a `CouldNotRunError` if the run was
   * stopped before the first check.
   */
  readonly report: (
    about: Pick<
      VerifyReport,
      | "contract"
      | "version"
      | "packageVersion"
      | "target"
      | "level"
      | "seed"
      | "serverVersion"
      | "accounts"
      | "degree"
      | "created"
      | "shard"
      | "operations"
      | "beyond"
      | "rules"
      | "existing"
      | "waitedMs"
    >,
  ) => VerifyReport;
}

/** Creates the recorder of a run that begins now. `rules` are those of the contract. */
export function createRecorder(options: RunOptions, rules: readonly RatedRule[]): Recorder {
  const {
    bail,
    strict = false,
    knownFailing = new Map(),
    signal,
    onPlanned,
    onCheck,
    only,
    operations,
    ids,
    shard,
    minExercised,
  } = options;
  const recommendations = listRecommendations(rules);
  const checks: CheckResult[] = [];
  const started = new Date();
  const bailing = new AbortController();
  let isStopped = false;
  let fault: { readonly error: unknown } | undefined;
  /** An error of a listener ends the run, not the process. */
  const notify = (listener: () => void) => {
    try {
      listener();
    } catch (error) {
      fault ??= { error };
      bailing.abort();
    }
  };
  return {
    plan: (count) => notify(() => onPlanned?.(count)),
    add: (given) => {
      const check = strict ? given : rateFailure(given, recommendations);
      checks.push(check);
      notify(() => onCheck?.(check));
      if (bail && check.outcome.kind === "failed" && !knownFailing.has(check.id)) bailing.abort();
    },
    stop: () => {
      isStopped = true;
      bailing.abort();
    },
    signal: signal === undefined ? bailing.signal : AbortSignal.any([signal, bailing.signal]),
    report: (about) => {
      if (fault !== undefined) throw fault.error;
      const stopped = isStopped || signal?.aborted === true;
      if (stopped && checks.length === 0) throw stoppedBeforeChecks();
      return {
        ...about,
        // Checks complete in any order.
        checks: skipReliant(checks, recommendations).sort((a, b) => (a.id < b.id ? -1 : 1)),
        strict,
        knownFailing,
        minExercised,
        partial:
          only !== undefined ||
          operations !== undefined ||
          ids !== undefined ||
          shard !== undefined ||
          bailing.signal.aborted ||
          stopped,
        stopped,
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
      };
    },
  };
}
