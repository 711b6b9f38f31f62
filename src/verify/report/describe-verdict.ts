import type { VerifyReport } from "../verify-report.js";
import { countOf } from "./count-of.js";
import { exitCode } from "./exit-code.js";
import type { Judgement } from "./judge-rules.js";
import { countVerdicts } from "./verdict.js";

/** The outcome of a run in a word and a sentence. */
export interface RunVerdict {
  readonly word: "PASS" | "FAIL" | "COULD NOT RUN";
  readonly sentence: string;
}

/** Says what a run came to. The word follows the exit code. */
export function describeVerdict(report: VerifyReport, { rules, operations, stale }: Judgement): RunVerdict {
  const counts = countVerdicts(report);
  const broken = rules.filter(({ state }) => state === "broken").length;
  const operationsBroken = operations.filter(({ state }) => state === "broken").length;
  const parts = [
    ...(broken > 0 ? [`${countOf(broken, "rule")} broken`] : []),
    ...(operationsBroken > 0 ? [`${countOf(operationsBroken, "operation")} not as described`] : []),
    ...(stale.length > 0
      ? [`${countOf(stale.length, "known-failing entry", "known-failing entries")} out of date`]
      : []),
    ...(counts.errored > 0 ? [`${countOf(counts.errored, "check")} could not run`] : []),
  ];
  const kept = rules.filter(({ state }) => state === "kept").length;
  switch (exitCode(report)) {
    case 0:
      return {
        word: "PASS",
        sentence:
          parts.length === 0 ? `${countOf(kept, "rule")} kept, none broken.` : `${list(parts)}, all of it known.`,
      };
    case 1:
      return { word: "FAIL", sentence: `${list(parts)}.` };
    case 2:
      return { word: "COULD NOT RUN", sentence: parts.length === 0 ? "No check was run." : `${list(parts)}.` };
  }
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
