/** The result of a check. `output` is printed on failure, `detail` beside the result. */
export type CheckResult =
  | { readonly ok: true; readonly detail?: string }
  | { readonly ok: false; readonly output: string };

/** A named check that a command runs. */
export interface ProjectCheck {
  readonly name: string;
  readonly run: () => Promise<CheckResult>;
}
