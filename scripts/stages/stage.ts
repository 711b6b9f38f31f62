/** The result of a stage. `output` is printed on failure, `detail` beside the result. */
export type StageResult =
  | { readonly ok: true; readonly detail?: string }
  | { readonly ok: false; readonly output: string };

/** A named check that a command runs. */
export interface Stage {
  readonly name: string;
  readonly run: () => Promise<StageResult>;
}
