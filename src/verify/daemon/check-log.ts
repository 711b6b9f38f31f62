import type { DaemonCase } from "../../daemon/cases/daemon-case.js";
import type { Check, CheckOutcome } from "../check.js";
import { rulesOfLeak } from "./compare-answer.js";
import type { LogFinding, WatchedLog } from "./search-log.js";

/** The id of the check of a log. */
export const logCheckId = "log";

/** Searches the daemon's log for the secrets of cases that ran while it was watched. */
export async function checkLog(log: WatchedLog, cases: readonly DaemonCase[]): Promise<Check> {
  const started = performance.now();
  const outcome = await searchOutcome(log, cases);
  return {
    id: logCheckId,
    kind: "case",
    operation: "log",
    summary: "The log holds no secret of a URL",
    rules: ["redaction.logs"],
    outcome,
    durationMs: performance.now() - started,
  };
}

async function searchOutcome(log: WatchedLog, cases: readonly DaemonCase[]): Promise<CheckOutcome> {
  const { findings, searchedBytes, gaps } = await log.search(cases);
  if (findings.length > 0) {
    const shown = new Set(findings.flatMap((finding) => finding.cases));
    const leaking = cases.filter(({ name }) => shown.has(name));
    const broken = [...new Set(leaking.flatMap((one) => rulesOfLeak(one, "logs")))];
    return { kind: "failed", problems: findings.map(sentence), broken, trace: [] };
  }
  const [gap] = gaps;
  if (gap !== undefined)
    return { kind: "errored", reason: gap, help: "Give the file that the daemon logs to", trace: [] };
  if (searchedBytes === 0) {
    const reason = "The daemon logged nothing while the cases ran";
    return { kind: "errored", reason, help: "Give the file that the daemon logs to, and let it log errors", trace: [] };
  }
  return { kind: "passed" };
}

function sentence({ line, cases }: LogFinding): string {
  const where = line === undefined ? "a line of the log that was moved away" : `line ${line} of the log`;
  return `${where} shows a secret of ${cases.join(", ")}`;
}
