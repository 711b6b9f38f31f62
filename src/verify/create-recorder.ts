import type { Check } from "./check.js";
import type { RunOptions } from "./run-options.js";
import type { VerifyReport } from "./verify-report.js";

/** Collects the checks of a run. */
export interface Recorder {
  /** Tells how many checks there will be. */
  readonly plan: (count: number) => void;
  readonly add: (check: Check) => void;
  /** Aborted when the run is to end: by whoever runs it, or by a failure with `bail`. */
  readonly signal: AbortSignal;
  /** The report of what was collected, in the order of the ids. */
  readonly report: (
    about: Pick<VerifyReport, "contract" | "version" | "target" | "level" | "seed" | "rules">,
  ) => VerifyReport;
}

/** Makes the recorder of a run that begins now. */
export function createRecorder(options: RunOptions): Recorder {
  const { bail, knownFailing = new Map(), signal, onPlanned, onCheck, only, shard } = options;
  const checks: Check[] = [];
  const started = new Date();
  const bailing = new AbortController();
  return {
    plan: (count) => onPlanned?.(count),
    add: (check) => {
      checks.push(check);
      onCheck?.(check);
      if (bail && check.outcome.kind === "failed" && !knownFailing.has(check.id)) bailing.abort();
    },
    signal: signal === undefined ? bailing.signal : AbortSignal.any([signal, bailing.signal]),
    report: (about) => ({
      ...about,
      // They end in any order.
      checks: [...checks].sort((a, b) => (a.id < b.id ? -1 : 1)),
      knownFailing,
      partial: only !== undefined || shard !== undefined || bailing.signal.aborted || signal?.aborted === true,
      stopped: signal?.aborted === true,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
    }),
  };
}
