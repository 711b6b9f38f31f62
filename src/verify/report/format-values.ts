import { shellQuoted } from "../../shell-word.js";
import type { VerifyReport } from "../verify-report.js";
import { visibleLine } from "./visible-text.js";

/** Formats a number with the noun that it counts: `1 rule`, `2 rules`, `1,024 checks`. */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? singular : plural}`;
}

/** Lists the first names and the number of the others: `a`, `a, b and 7 more`. The result is safe to show in one line. */
export function abbreviateList(names: readonly string[], maxNames = 3): string {
  const first = names.slice(0, maxNames).map(visibleLine).join(", ");
  return names.length > maxNames ? `${first} and ${(names.length - maxNames).toLocaleString("en-US")} more` : first;
}

/** Formats a duration in readable units: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 100) / 10;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** The command-line options that run a check again with the same random requests, quoted for a POSIX shell. */
export function rerunOptions(id: string, { seed }: Pick<VerifyReport, "seed">): string {
  const only = `--only ${shellQuoted(visibleLine(id))}`;
  return seed === undefined ? only : `${only} --seed ${seed}`;
}
