import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { findReadBack, isReadBack, type ReadBack } from "../../../contract/chat/read-back.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { Check, CheckOutcome } from "../../check.js";
import { defaultRunOptions } from "../../run-options.js";
import { serverDownReason } from "../../server-down.js";
import { createServerPresence, type ServerPresence } from "../server/server-presence.js";
import { needsStates, needsStatesReason } from "../states/case-setup.js";
import { settleAll, withTemporaryFolder } from "../tool/temporary-folder.js";
import { type DreddRun, findDredd, runDreddProcess } from "./dredd-process.js";
import { caseKey, type DreddResult } from "./hooks-protocol.js";

/** Options of a run of cases. */
export interface RunDreddOptions {
  /** The URL of the chat server, such as `http://127.0.0.1:4010`, without `/api/v1`. */
  readonly url: string;
  /** The URL of the provider states. Without it, cases that need them are skipped. */
  readonly statesUrl?: string;
  /** The contract as of the server's level. */
  readonly contract: ContractDocument;
  /** The level of the server. */
  readonly level: number;
  /** The maximum number of concurrent cases. Defaults to 2. */
  readonly jobs?: number;
  /** How long a case may take, including its states, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Ends the run. Unfinished cases are not reported. */
  readonly signal?: AbortSignal;
  /** Tracks whether the server responds; aborts the run when it does not. Defaults to one for this run. */
  readonly presence?: ServerPresence;
  /** Called with each check as soon as it is done. */
  readonly onCheck?: (check: Check) => void;
}

/** Starting a process takes longer than running this many cases. */
const minCasesPerProcess = 100;
/** A process runs this many cases concurrently before it has no processor time left. */
const maxJobsPerProcess = 4;

/**
 * Runs cases with Dredd and returns one check each, in any order: `case <operationId>/<name>`. Each case has its own transaction, and
 * passes if both Dredd and the comparison of this package accept the response. A case that Dredd does not report is `errored`.
 *
 * Rejects with a `CouldNotRunError` if Dredd, an optional peer dependency, is not installed.
 */
export async function runDredd(cases: readonly Case[], options: RunDreddOptions): Promise<Check[]> {
  const { url, statesUrl, contract, level, jobs = 2, timeoutMs = defaultRunOptions.timeoutMs, onCheck } = options;
  const { signal, presence = createServerPresence() } = options;
  const checks: Check[] = [];
  const readBack = findReadBack(contract);
  const add = (testCase: Case, result: DreddResult, durationMs: number) => {
    const check = toCheck(testCase, result, durationMs, readBack);
    checks.push(check);
    onCheck?.(check);
  };
  const isRunnable = (testCase: Case) => statesUrl !== undefined || !needsStates(testCase);
  for (const testCase of cases.filter((candidate) => !isRunnable(candidate))) {
    add(testCase, { kind: "skipped", reason: needsStatesReason }, 0);
  }
  const runnable = cases.filter(isRunnable);
  if (runnable.length === 0) return checks;
  const script = findDredd();
  await withTemporaryFolder(async (folder) => {
    const contractFile = join(folder, "contract.json");
    const isNewest = level >= newestLevel;
    if (!isNewest) await writeFile(contractFile, JSON.stringify(contract));
    const run: DreddRun = {
      script,
      folder,
      contract,
      apiUrl: `${url}/api/v1`,
      timeoutMs,
      signal: signal === undefined ? presence.signal : AbortSignal.any([signal, presence.signal]),
      ...(statesUrl === undefined ? {} : { statesUrl }),
      ...(isNewest ? {} : { contractFile }),
      onResult: (testCase, result, durationMs) => {
        presence.note(!(result.kind === "errored" && result.isUnanswered === true));
        add(testCase, result, durationMs);
      },
    };
    const processes = Math.min(Math.ceil(jobs / maxJobsPerProcess), Math.floor(runnable.length / minCasesPerProcess));
    const parts = deal(runnable, Math.max(1, processes));
    const jobsOf = (index: number) => Math.max(1, Math.floor((jobs + index) / parts.length));
    await settleAll(parts.map((part, index) => runPart(part, `part-${index}`, jobsOf(index), run)));
    if (signal?.aborted || !presence.isGone) return;
    const done = new Set(checks.map(({ id }) => id));
    for (const testCase of runnable.filter((candidate) => !done.has(checkId(candidate)))) {
      add(testCase, { kind: "errored", reason: serverDownReason, trace: [] }, 0);
    }
  });
  return checks;
}

/** Deals items out in turns, which spreads the slow cases of one operation. */
function deal<Item>(items: readonly Item[], parts: number): Item[][] {
  return Array.from({ length: parts }, (_, part) => items.filter((_, index) => index % parts === part));
}

/** How often Dredd is restarted for the remaining cases after it ended during a case. */
const maxRestarts = 4;

/** Runs cases. If Dredd ends early, another process runs the remaining cases sequentially, to find the case during which it ends. */
async function runPart(cases: readonly Case[], name: string, jobs: number, run: DreddRun): Promise<void> {
  let remaining = [...cases];
  for (let start = 0; remaining.length > 0; start++) {
    const isConcurrent = start === 0 && jobs > 1;
    const process = { cases: remaining, name: `${name}-${start}`, jobs: isConcurrent ? jobs : 1 };
    const { reported, unfinished, end } = await runDreddProcess(process, run);
    if (run.signal.aborted) return;
    remaining = remaining.filter((testCase) => !reported.has(caseKey(testCase)));
    const isLast = unfinished.size === 0 || start >= maxRestarts;
    const isCause = (testCase: Case) => unfinished.size === 1 && unfinished.has(caseKey(testCase));
    const lost = isLast ? remaining : remaining.filter(isCause);
    for (const testCase of lost) {
      run.onResult(testCase, { kind: "errored", reason: `Dredd did not report this case: ${end}`, trace: [] }, 0);
    }
    remaining = remaining.filter((testCase) => !lost.includes(testCase));
  }
}

function toCheck(testCase: Case, result: DreddResult, durationMs: number, readBack: ReadBack | undefined): Check {
  const { operationId, summary, reliesOn } = testCase;
  return {
    id: checkId(testCase),
    kind: "case",
    operation: operationId,
    summary,
    rules: expectsOnlyEmptyValues(testCase) ? [] : [...rulesOfCase(testCase, readBack), ...statusRule(testCase)],
    ...(reliesOn === undefined ? {} : { reliesOn }),
    outcome: toOutcome(testCase, result, readBack),
    durationMs,
  };
}

function rulesOf({ rule, also }: Case): string[] {
  return [...new Set([rule, ...also])];
}

/** Lists the rules that a case checks, including the one that a refused request changes nothing. */
export function rulesOfCase(testCase: Case, readBack: ReadBack | undefined): string[] {
  const isRead = readBack !== undefined && isReadBack(testCase, readBack);
  return isRead ? [...rulesOf(testCase), readBack.rule] : rulesOf(testCase);
}

function statusRule({ recommendedBy }: Case): string[] {
  return recommendedBy === undefined ? [] : [recommendedBy];
}

function changeRule(changed: string | undefined, readBack: ReadBack | undefined): string[] {
  return changed === undefined || readBack === undefined ? [] : [readBack.rule];
}

/** Whether a success case fixes only empty values. A response without any value passes it, so it can break rules but show none. */
function expectsOnlyEmptyValues({ exact, response: { status, body } }: Case): boolean {
  return status < 300 && exact.length > 0 && exact.every((pointer) => isEmpty(valueAt(body, pointer)));
}

/** Why a case does not show that a refused request changes nothing. */
const unreadReason = "no caller could read before and after the request";

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

function toOutcome(testCase: Case, result: DreddResult, readBack: ReadBack | undefined): CheckOutcome {
  switch (result.kind) {
    case "passed": {
      const isUnread = result.isReadBack !== true && rulesOfCase(testCase, readBack).length > rulesOf(testCase).length;
      const shown = [...rulesOf(testCase), ...statusRule(testCase)];
      return isUnread ? { kind: "passed", shown, reason: unreadReason } : { kind: "passed" };
    }
    case "skipped":
      return result;
    case "errored": {
      const { isUnanswered: _, ...outcome } = result;
      return outcome;
    }
    case "deviated": {
      const { deviation, changed, trace } = result;
      const status = statusRule(testCase);
      return {
        kind: "failed",
        problems: [deviation ?? [], changed ?? []].flat(),
        broken: [...(deviation === undefined ? [] : status), ...changeRule(changed, readBack)],
        shown: [...rulesOf(testCase), ...(deviation === undefined ? status : [])],
        trace,
      };
    }
    case "failed": {
      const { dredd, compared, letThrough, forbidden, changed, trace } = result;
      // Both usually report the same problem, and Dredd's wording is harder to read.
      const own = compared.length > 0 ? compared : dredd.map((problem) => `Dredd: ${problem}`);
      return {
        kind: "failed",
        problems: [...own, ...[changed ?? []].flat()],
        broken: [...rulesOf(testCase), ...changeRule(changed, readBack)],
        ...(letThrough === true ? { letThrough } : {}),
        ...(forbidden === true ? { forbidden } : {}),
        trace,
      };
    }
  }
}

function checkId(testCase: Case): string {
  return `case ${caseKey(testCase)}`;
}
