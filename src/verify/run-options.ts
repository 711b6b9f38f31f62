import type { Check } from "./check.js";
import type { SelectionOptions } from "./create-selection.js";

/** How a verification runs, whatever the contract. */
export interface RunOptions extends SelectionOptions {
  /** How many checks run at the same time, at least 1. Defaults to twice the number of processors. */
  readonly jobs?: number;
  /** How long one check may take, in milliseconds, at least 1. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** How many of the rules that its checks can show a run has to exercise for a verdict, in percent, from 0 to 100. Defaults to 50. */
  readonly minExercised?: number;
  /** Ends the run with the first check that fails and is not known to. Defaults to false. */
  readonly bail?: boolean;
  /** Checks that are known to fail, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** Ends the run, and everything that it has started. The report then has what was done until then, and is `stopped`. */
  readonly signal?: AbortSignal;
  /** Is told how many checks there will be, as soon as that is known. */
  readonly onPlanned?: (count: number) => void;
  /** Is told of each check as soon as it is done. */
  readonly onCheck?: (check: Check) => void;
}
