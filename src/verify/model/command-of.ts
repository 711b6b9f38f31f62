import type { VerifyReport } from "./verify-report.js";

/** The command that makes such a report, without its arguments. `accord check` makes the same as `accord proxy`. */
export function commandOf({ contract, coverage }: Pick<VerifyReport, "contract" | "coverage">): string {
  return coverage === undefined ? `accord verify ${contract}` : `accord proxy ${contract}`;
}
