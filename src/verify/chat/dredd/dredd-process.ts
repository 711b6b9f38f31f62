import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Case } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { dreddProfile } from "../../../contract/chat/profiles/dredd-profile.js";
import { findTool } from "../tool/find-tool.js";
import { createWatchdog, describeEnd, graceMs, lastLines, maxStartMs, runTool } from "../tool/run-tool.js";
import {
  caseKey,
  type DreddMessage,
  type DreddPlan,
  type DreddResult,
  planCases,
  planReadBack,
  planVariable,
} from "./hooks-protocol.js";

/** Finds the script of Dredd. Throws a `CouldNotRunError` that says how to install it if it is missing. */
export function findDredd(folder?: string): string {
  const need = "The cases of the contract are run by Dredd, which is not installed";
  return findTool({ need, script: "dredd/bin/dredd", install: "dredd@14.1.0" }, folder);
}

/** Finds the hook file and the modules to load before it: none in the built package, the TypeScript loader in a checkout. */
export function findHooks(): { readonly hooks: string; readonly imports: readonly string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const hooks = fileURLToPath(new URL(`dredd-hooks.${isSource ? "cts" : "cjs"}`, import.meta.url));
  return { hooks, imports: isSource ? [pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : [] };
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
  /** The case that started and has no result. */
  readonly unfinished?: string;
  /** How it ended, as a phrase. */
  readonly end: string;
}

/** Runs cases with Dredd in a separate process, with a profile of only these cases. `name` is unique in the folder. */
export async function runDreddProcess(cases: readonly Case[], name: string, run: DreddRun): Promise<DreddEnd> {
  const { script, folder, contract, apiUrl, statesUrl, timeoutMs, contractFile, signal, onResult } = run;
  const [profileFile, planFile] = [join(folder, `${name}.profile.json`), join(folder, `${name}.plan.json`)];
  const plan: DreddPlan = {
    cases: planCases(contract, cases),
    ...planReadBack(contract),
    timeoutMs,
    ...(statesUrl === undefined ? {} : { statesUrl }),
    ...(contractFile === undefined ? {} : { contractFile }),
  };
  await writeFile(planFile, JSON.stringify(plan));
  await writeFile(profileFile, JSON.stringify(dreddProfile(contract, cases.map(withoutDetails))));
  const byKey = new Map(cases.map((testCase) => [caseKey(testCase), testCase]));
  const reported = new Set<string>();
  let unfinished: string | undefined;
  let hooksRan = false;
  const { hooks, imports } = findHooks();
  const tool = runTool({
    script,
    args: [profileFile, apiUrl, `--hookfiles=${hooks}`, "--loglevel=error", "--reporter=dot"],
    folder,
    output: `${name}.log`,
    imports,
    env: { [planVariable]: planFile },
    signal,
    onMessage: (given) => {
      const message = given as DreddMessage;
      watchdog.restart(timeoutMs + graceMs + (message.kind === "waiting" ? message.ms : 0));
      switch (message.kind) {
        case "waiting":
          return;
        case "hooks-ran":
          hooksRan = true;
          return;
        case "started":
          unfinished = message.key;
          return;
        case "result": {
          const testCase = byKey.get(message.key);
          unfinished = undefined;
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
  return { reported, end: end + printed, ...(unfinished === undefined ? {} : { unfinished }) };
}

/** Drops the details of a case. The hooks supply request and expectation, and without examples Dredd starts twice as fast. */
function withoutDetails(testCase: Case): Case {
  return { ...testCase, request: { ...testCase.request, query: {} }, response: { status: testCase.response.status } };
}
