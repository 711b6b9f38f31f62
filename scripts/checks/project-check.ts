import type { Inputs } from "../cache/input-files.js";

/** The result of a check. `output` is printed on failure, `detail` beside the result. */
export type CheckResult =
  | { readonly ok: true; readonly detail?: string }
  | { readonly ok: false; readonly output: string };

/** A named check that a command runs. */
export interface ProjectCheck {
  readonly name: string;
  /** Everything that the result depends on. A check without inputs runs every time. */
  readonly inputs?: Inputs;
  /** A folder if the check looks at each of its files alone, so that it can omit those that passed. */
  readonly eachFileOf?: string;
  /** Checks only the given files, or everything. */
  readonly run: (files?: readonly string[]) => Promise<CheckResult>;
}
