import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { Check, CheckOutcome } from "../../check.js";
import { defaultRunOptions } from "../../run-options.js";
import { serverDownReason } from "../../server-down.js";
import { createServerPresence, type ServerPresence } from "../create-server-presence.js";
import { needsStates, needsStatesReason } from "../needs-states.js";
import { settleAll } from "../tool/settle-all.js";
import { withTemporaryFolder } from "../tool/temporary-folder.js";
import { caseKey } from "./dredd-plan.js";
import { type DreddMeans, runDreddProcess } from "./dredd-process.js";
import type { DreddResult } from "./dredd-result.js";
import { findDredd } from "./find-dredd.js";

/** How cases are run. */
export interface RunDreddOptions {
  /** Where the chat API is, such as `http://127.0.0.1:4010`, without `/api/v1`. */
  readonly url: string;
  /** Where the provider states are. Without it, cases that need them are left out. */
  readonly statesUrl?: string;
  /** The contract as of the level of the server. */
  readonly contract: ContractDocument;
  /** The level of the server. */
  readonly level: number;
  /** How many processes share the cases at most. Defaults to 2. */
  readonly jobs?: number;
  /** How long a case may take, its states included. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Ends the run. What is under way then is no check any more. */
  readonly signal?: AbortSignal;
  /** Is told whether the server answers, and ends the run when it does not. By default made for this run. */
  readonly presence?: ServerPresence;
  /** Is told of each check as soon as it is done. */
  readonly onCheck?: (check: Check) => void;
}

/** A process takes longer to start than this many cases to run. */
const leastCases = 40;

/**
 * Runs cases with Dredd and gives what came of each, in any order: `case <operationId>/<name>`. Each has a transaction of its own, and is
 * kept when Dredd and the comparison of this package both say so. A case that Dredd does not report is `errored`.
 *
 * Rejects with a `CouldNotRunError` when Dredd, an optional peer dependency, is not installed.
 */
export async function runDredd(cases: readonly Case[], options: RunDreddOptions): Promise<Check[]> {
  const { url, statesUrl, contract, level, jobs = 2, timeoutMs = defaultRunOptions.timeoutMs, onCheck } = options;
  const { signal, presence = createServerPresence() } = options;
  const checks: Check[] = [];
  const add = (one: Case, result: DreddResult, durationMs: number) => {
    const check = toCheck(one, result, durationMs);
    checks.push(check);
    onCheck?.(check);
  };
  const isRunnable = (one: Case) => statesUrl !== undefined || !needsStates(one);
  for (const one of cases.filter((one) => !isRunnable(one))) {
    add(one, { kind: "skipped", reason: needsStatesReason }, 0);
  }
  const runnable = cases.filter(isRunnable);
  if (runnable.length === 0) return checks;
  const script = findDredd();
  await withTemporaryFolder(async (folder) => {
    const contractFile = join(folder, "contract.json");
    const isNewest = level >= newestLevel;
    if (!isNewest) await writeFile(contractFile, JSON.stringify(contract));
    const means: DreddMeans = {
      script,
      folder,
      contract,
      apiUrl: `${url}/api/v1`,
      timeoutMs,
      signal: signal === undefined ? presence.signal : AbortSignal.any([signal, presence.signal]),
      ...(statesUrl === undefined ? {} : { statesUrl }),
      ...(isNewest ? {} : { contractFile }),
      onResult: (one, result, durationMs) => {
        presence.note(!(result.kind === "errored" && result.isUnanswered === true));
        add(one, result, durationMs);
      },
    };
    const parts = deal(runnable, Math.max(1, Math.min(jobs, Math.floor(runnable.length / leastCases))));
    await settleAll(parts.map((part, index) => runPart(part, `part-${index}`, means)));
    if (signal?.aborted || !presence.isGone) return;
    const done = new Set(checks.map(({ id }) => id));
    for (const one of runnable.filter((one) => !done.has(checkId(one)))) {
      add(one, { kind: "errored", reason: serverDownReason, trace: [] }, 0);
    }
  });
  return checks;
}

/** Gives the items out in turns, so that what is slow of one operation is spread. */
function deal<Item>(items: readonly Item[], parts: number): Item[][] {
  return Array.from({ length: parts }, (_, part) => items.filter((_, index) => index % parts === part));
}

/** So often Dredd is started again for the cases that are left when it has ended in the midst of one. */
const mostRestarts = 3;

/** Runs cases one after the other. When Dredd breaks off, the others are run by another. */
async function runPart(cases: readonly Case[], name: string, means: DreddMeans): Promise<void> {
  let left = [...cases];
  for (let start = 0; left.length > 0; start++) {
    const { reported, underWay, end } = await runDreddProcess(left, `${name}-${start}`, means);
    if (means.signal.aborted) return;
    left = left.filter((one) => !reported.has(caseKey(one)));
    const isLast = underWay === undefined || start >= mostRestarts;
    const lost = isLast ? left : left.filter((one) => caseKey(one) === underWay);
    for (const one of lost) {
      means.onResult(one, { kind: "errored", reason: `Dredd did not report this case: ${end}`, trace: [] }, 0);
    }
    left = left.filter((one) => !lost.includes(one));
  }
}

function toCheck(one: Case, result: DreddResult, durationMs: number): Check {
  const { operationId, summary } = one;
  return {
    id: checkId(one),
    kind: "case",
    operation: operationId,
    summary,
    rules: isEmptyOfValues(one) ? [] : rulesOf(one),
    outcome: toOutcome(one, result),
    durationMs,
  };
}

function rulesOf({ rule, also }: Case): string[] {
  return [...new Set([rule, ...also])];
}

/** Whether all that a case fixes of a success is empty: any answer without a value keeps it, so it can break rules and show none. */
function isEmptyOfValues({ exact, response: { status, body } }: Case): boolean {
  return status < 300 && exact.length > 0 && exact.every((pointer) => isEmpty(valueAt(body, pointer)));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

function toOutcome(one: Case, result: DreddResult): CheckOutcome {
  switch (result.kind) {
    case "passed":
    case "skipped":
      return result;
    case "errored": {
      const { isUnanswered: _, ...outcome } = result;
      return outcome;
    }
    case "failed": {
      const { dredd, compared, letThrough, trace } = result;
      // Both say the same in other words, most often; Dredd's are the harder to read.
      const problems = compared.length > 0 ? compared : dredd.map((problem) => `Dredd: ${problem}`);
      return {
        kind: "failed",
        problems,
        ...(isEmptyOfValues(one) ? { broken: rulesOf(one) } : {}),
        ...(letThrough === true ? { letThrough } : {}),
        trace,
      };
    }
  }
}

function checkId(one: Case): string {
  return `case ${caseKey(one)}`;
}
