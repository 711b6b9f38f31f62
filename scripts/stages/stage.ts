/** How a stage ended. `output` is what a person must see. */
export type StageResult =
  | { readonly ok: true; readonly detail?: string }
  | { readonly ok: false; readonly output: string };

/** One named check among those that a command runs. */
export interface Stage {
  readonly name: string;
  readonly run: () => Promise<StageResult>;
}
