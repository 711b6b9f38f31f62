import { shellQuoted } from "../../shell-word.js";
import type { VerifyReport } from "../verify-report.js";
import { visibleLine } from "./visible-text.js";

/** The options of the command line that run a check again with the same random requests, for a POSIX shell. */
export function rerunOptions(id: string, { seed }: Pick<VerifyReport, "seed">): string {
  const only = `--only ${shellQuoted(visibleLine(id))}`;
  return seed === undefined ? only : `${only} --seed ${seed}`;
}
