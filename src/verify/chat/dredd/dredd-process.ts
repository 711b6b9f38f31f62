import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { dreddProfile } from "../../../contract/chat/profiles/dredd-profile.js";
import { lastLines } from "../tool/last-lines.js";
import { runTool } from "../tool/run-tool.js";
import { endOf, graceMs, longestStartMs } from "../tool/tool-limits.js";
import { createWatchdog } from "../tool/watchdog.js";
import { caseKey, type DreddPlan, planCases, planVariable } from "./dredd-plan.js";
import type { DreddMessage, DreddResult } from "./dredd-result.js";
import { findHooks } from "./find-dredd.js";

/** What every process of a run has in common. */
export interface DreddMeans extends Pick<DreddPlan, "statesUrl" | "timeoutMs" | "contractFile"> {
  /** The script of Dredd. */
  readonly script: string;
  /** A temporary folder. */
  readonly folder: string;
  readonly contract: ContractDocument;
  /** The API, with `/api/v1`. */
  readonly apiUrl: string;
  readonly signal: AbortSignal;
  readonly onResult: (one: Case, result: DreddResult, durationMs: number) => void;
}

/** How a process of Dredd ended. */
export interface DreddEnd {
  /** The keys of the cases with a result. */
  readonly reported: ReadonlySet<string>;
  /** The case that was begun and has no result. */
  readonly underWay?: string;
  /** In words. */
  readonly end: string;
}

/** Runs cases with Dredd in a process of its own, with a profile that has only these. `name` is unique in the folder. */
export async function runDreddProcess(cases: readonly Case[], name: string, means: DreddMeans): Promise<DreddEnd> {
  const { script, folder, contract, apiUrl, statesUrl, timeoutMs, contractFile, signal, onResult } = means;
  const [profileFile, planFile] = [join(folder, `${name}.profile.json`), join(folder, `${name}.plan.json`)];
  const plan: DreddPlan = {
    cases: planCases(contract, cases),
    timeoutMs,
    ...(statesUrl === undefined ? {} : { statesUrl }),
    ...(contractFile === undefined ? {} : { contractFile }),
  };
  await writeFile(planFile, JSON.stringify(plan));
  await writeFile(profileFile, JSON.stringify(dreddProfile(contract, cases.map(withoutDetails))));
  const byKey = new Map(cases.map((one) => [caseKey(one), one]));
  const reported = new Set<string>();
  let underWay: string | undefined;
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
          underWay = message.key;
          return;
        case "result": {
          const one = byKey.get(message.key);
          underWay = undefined;
          if (one === undefined || reported.has(message.key)) return;
          reported.add(message.key);
          onResult(one, message.result, message.durationMs);
        }
      }
    },
  });
  const watchdog = createWatchdog(longestStartMs, tool.kill);
  const ended = await tool.ended;
  watchdog.stop();
  const end = endOf(watchdog.hasBitten, ended);
  // Without the hooks nothing secret was sent yet, so that what Dredd printed can be shown.
  const printed = hooksRan
    ? ""
    : ` before the hooks of this package ran; it printed: ${lastLines(await readFile(tool.outputFile, "utf8"))}`;
  return { reported, end: end + printed, ...(underWay === undefined ? {} : { underWay }) };
}

/** The hooks bring request and expectation; without examples of them Dredd takes half the time to start. */
function withoutDetails(one: Case): Case {
  return { ...one, request: { ...one.request, query: {} }, response: { status: one.response.status } };
}
