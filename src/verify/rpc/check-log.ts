import type { RpcCase, RpcRule } from "../../contract/rpc/cases.js";
import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import { rulesOfLeak } from "./case-claims.js";
import { type LogFinding, type LogSearch, type WatchedLog, waitUntilQuiet } from "./search-log.js";

/** The id of the check of the log. No case, operation or rule begins with it. */
export const logCheckId = "log file";

/** The check of the log, which shows the rules whose evidence is the log. */
export function logCheck(rules: readonly RpcRule[]): Omit<CheckResult, "outcome" | "durationMs"> {
  return {
    id: logCheckId,
    kind: "case",
    operation: "log",
    summary: "The log holds no secret of a URL",
    rules: rules.filter(({ shown }) => shown?.by === "log").map(({ id }) => id),
  };
}

/** How to search a log. */
export interface LogCheckOptions {
  /** The cases that ran while the log was watched. */
  readonly cases: readonly RpcCase[];
  /** The rules of the contract. */
  readonly rules: readonly RpcRule[];
  /** Whether the server fetched in one of the cases. Otherwise it had no secret to log. */
  readonly didFetch: boolean;
  /** Aborts the wait for late log entries. */
  readonly signal?: AbortSignal;
}

/**
 * Searches the server's log for the secrets of cases; if it finds none, again once the log has stopped growing, because loggers write
 * late. Without a log, the check is skipped. Rejects only if it is aborted.
 */
export async function checkLog(log: WatchedLog | undefined, options: LogCheckOptions): Promise<CheckOutcome> {
  return log === undefined ? { kind: "skipped", reason: "it needs --log-file" } : searchOutcome(log, options);
}

async function searchOutcome(log: WatchedLog, options: LogCheckOptions): Promise<CheckOutcome> {
  const { cases, rules, didFetch } = options;
  const { findings, searchedBytes, gaps } = await search(log, options);
  if (findings.length > 0) {
    const broken = [...new Set(cases.flatMap((one) => rulesOfFindings(one, findings, rules)))];
    return { kind: "failed", problems: findings.map(sentence), broken, trace: [] };
  }
  const [gap] = gaps;
  if (gap !== undefined) return { kind: "errored", ...gap, trace: [] };
  if (searchedBytes === 0) {
    const reason = `The server wrote nothing to ${log.path} while the cases ran`;
    return { kind: "errored", reason, help: "Give the file that the server logs to, and let it log errors", trace: [] };
  }
  return didFetch ? { kind: "passed" } : { kind: "skipped", reason: "the server fetched nothing that it could log" };
}

function rulesOfFindings(one: RpcCase, findings: readonly LogFinding[], rules: readonly RpcRule[]): string[] {
  return findings.some(({ cases }) => cases.includes(one.name)) ? rulesOfLeak(one, "logs", rules) : [];
}

async function search(log: WatchedLog, { cases, didFetch, signal }: LogCheckOptions): Promise<LogSearch> {
  const found = await log.search(cases);
  if (found.findings.length > 0 || !didFetch) return found;
  await waitUntilQuiet(log.path, signal === undefined ? {} : { signal });
  return log.search(cases);
}

function sentence({ line, cases }: LogFinding): string {
  const where = line === undefined ? "a line of the log that was moved away" : `line ${line} of the log`;
  return `${where} shows a secret of ${cases.join(", ")}`;
}
