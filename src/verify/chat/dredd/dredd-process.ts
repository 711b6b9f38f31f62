import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { findTool } from "../tool/find-tool.js";
import { createWatchdog, describeEnd, graceMs, lastLines, maxStartMs, runTool } from "../tool/run-tool.js";
import { findHooks } from "./find-hooks.js";
import {
  caseKey,
  type DreddMessage,
  type DreddPlan,
  type DreddResult,
  planCases,
  planReadBack,
} from "./hooks-protocol.js";

/** Finds the script of Dredd. Throws a `CouldNotRunError` that says how to install it if it is missing. */
export function findDredd(folder?: string): string {
  const need = "The cases of the contract are run by Dredd, which is not installed";
  return findTool({ need, script: "dredd/bin/dredd", install: "dredd@14.1.0" }, folder);
}

/** The context that all processes of a run share. */
export interface DreddRun extends Pick<DreddPlan, "statesUrl" | "timeoutMs" | "contractFile"> {
  /** The script of Dredd. */
  readonly script: string;
  /** A temporary folder. */
  readonly folder: string;
  readonly contract: ContractDocument;
  /** The URL of the API, with `/api/v1`. */
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  readonly onResult: (testCase: Case, result: DreddResult, durationMs: number) => void;
}

/** How a process of Dredd ended. */
export interface DreddEnd {
  /** The keys of the cases with a result. */
  readonly reported: ReadonlySet<string>;
  /** The keys of the cases that started and have no result. */
  readonly unfinished: ReadonlySet<string>;
  /** How it ended, as a phrase. */
  readonly end: string;
}

/** The cases and limits of one process. */
export interface DreddProcess {
  readonly cases: readonly Case[];
  /** Unique in the folder. */
  readonly name: string;
  /** The maximum number of concurrent cases. */
  readonly jobs: number;
}

/** Runs cases with Dredd in a separate process. */
export async function runDreddProcess({ cases, name, jobs }: DreddProcess, run: DreddRun): Promise<DreddEnd> {
  const { script, folder, contract, apiUrl, statesUrl, timeoutMs, contractFile, signal, onResult } = run;
  const { child, imports } = findHooks();
  const planFile = join(folder, `${name}.plan.json`);
  const plan: DreddPlan = {
    cases: planCases(contract, cases),
    ...planReadBack(contract),
    timeoutMs,
    ...(statesUrl === undefined ? {} : { statesUrl }),
    ...(contractFile === undefined ? {} : { contractFile }),
  };
  await writeFile(planFile, JSON.stringify(plan));
  const byKey = new Map(cases.map((testCase) => [caseKey(testCase), testCase]));
  const reported = new Set<string>();
  const unfinished = new Set<string>();
  let hooksRan = false;
  let waitingUntil = 0;
  const tool = runTool({
    script: child,
    args: [script, planFile, apiUrl, String(jobs)],
    folder,
    output: `${name}.log`,
    imports,
    signal,
    onMessage: (given) => {
      const message = given as DreddMessage;
      const now = performance.now();
      // Another concurrent case may report while one waits.
      if (message.kind === "waiting") waitingUntil = Math.max(waitingUntil, now + message.ms);
      watchdog.restart(timeoutMs + graceMs + Math.max(waitingUntil - now, 0));
      switch (message.kind) {
        case "waiting":
          return;
        case "hooks-ran":
          hooksRan = true;
          return;
        case "started":
          unfinished.add(message.key);
          return;
        case "result": {
          const testCase = byKey.get(message.key);
          unfinished.delete(message.key);
          if (testCase === undefined || reported.has(message.key)) return;
          reported.add(message.key);
          onResult(testCase, message.result, message.durationMs);
        }
      }
    },
  });
  const watchdog = createWatchdog(maxStartMs, tool.kill);
  const ended = await tool.ended;
  watchdog.stop();
  const end = describeEnd(watchdog, ended);
  // If the hooks never ran, no secret was sent yet, so the output is safe to show.
  const printed = hooksRan
    ? ""
    : ` before the hooks of this package ran; it printed: ${lastLines(await readFile(tool.outputFile, "utf8"))}`;
  return { reported, unfinished, end: end + printed };
}
