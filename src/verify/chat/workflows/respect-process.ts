import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadWorkflow } from "../../../contract/read-workflows.js";
import { parseJson } from "../../../parse-json.js";
import { findTool } from "../tool/find-tool.js";
import { lastLines } from "../tool/last-lines.js";
import { runTool } from "../tool/run-tool.js";
import { endOf, graceMs, longestStartMs } from "../tool/tool-limits.js";
import { createWatchdog } from "../tool/watchdog.js";
import { followProgress } from "./follow-progress.js";
import { guardAnswers } from "./guard-answers.js";
import { withAnswers } from "./keep-answers.js";
import { type BegunWorkflow, readProgress } from "./read-progress.js";
import type { RespectReport } from "./respect-report.js";

/** What every process of a run has in common. */
export interface RespectMeans {
  /** The script of Redocly. */
  readonly script: string;
  /** A temporary folder like `openapi/`: with `chat.yaml`, `states.yaml`, and `behaviour/` with the files that workflows upload. */
  readonly folder: string;
  /** The API, with `/api/v1`. */
  readonly apiUrl: string;
  /** Left out when no workflow sets states up. */
  readonly statesUrl?: string;
  /** How long a request may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is told of each workflow that is over, and whether it waited in vain for an answer until the time was up. */
  readonly onOver?: (workflow: BegunWorkflow, hasWaited: boolean) => void;
}

/** What came of a process. */
export interface RespectEnd {
  /** Left out when none was written. */
  readonly report?: RespectReport;
  /** How it ended, in words. */
  readonly end: string;
  /** The workflows that were begun, in their order. */
  readonly begun: readonly BegunWorkflow[];
}

const mostSteps = 1_000_000;
const longestRunMs = 2 ** 31 - 1;
/** Repeats a step that was refused for the number of requests, for half a minute: `respect` does not read `Retry-After`. */
const waitForMore = {
  name: "wait-for-more",
  type: "retry",
  retryAfter: 1,
  retryLimit: 30,
  criteria: [{ condition: "$statusCode == 429" }],
};

/** The script of Redocly. Throws a `CouldNotRunError` that says how to install it when it is missing. */
export function findRedocly(folder?: string): string {
  const need = "The workflows of the contract are run by `redocly respect`, which is not installed";
  return findTool({ need, script: "@redocly/cli/bin/cli.js", install: "@redocly/cli@2.77.0" }, folder);
}

/** Runs workflows with `redocly respect` in a process of its own. `name` is unique in the folder. */
export async function runRespect(
  workflows: readonly ReadWorkflow[],
  name: string,
  means: RespectMeans,
): Promise<RespectEnd> {
  const { script, folder, apiUrl, statesUrl, timeoutMs, signal } = means;
  const [reportFile, answersFile] = [join(folder, `${name}.report.json`), join(folder, `${name}.answers.jsonl`)];
  const files = await writeWorkflows(workflows, name, folder);
  const servers = [`chat=${apiUrl}`, ...(statesUrl === undefined ? [] : [`states=${statesUrl}`])];
  const tool = runTool({
    script,
    args: [
      ...["respect", ...files, ...servers.flatMap((server) => ["-S", server]), "--json-output", reportFile],
      // All that is shown of the report is masked here, where more secrets are known.
      ...["--no-secrets-masking", "--max-steps", String(mostSteps)],
      // Every response is checked against the contract here, which allows more and says it more readably.
      ...["--severity", "SCHEMA_CHECK=off,STATUS_CODE_CHECK=off"],
      ...["--max-fetch-timeout", String(timeoutMs), "--execution-timeout", String(longestRunMs)],
    ],
    folder,
    output: `${name}.log`,
    imports: [guardAnswers(answersFile)],
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    signal,
  });
  const watchdog = createWatchdog(longestStartMs, tool.kill);
  const readLog = () => readFile(tool.outputFile, "utf8").catch(() => "");
  const follower = followProgress(means);
  let printed = 0;
  const look = setInterval(
    async () => {
      // Every step prints a line.
      const log = await readLog();
      if (log.length > printed) watchdog.restart(timeoutMs + graceMs);
      printed = Math.max(printed, log.length);
      follower.look(log);
    },
    Math.min(1000, timeoutMs / 4),
  );
  const ended = await tool.ended;
  clearInterval(look);
  watchdog.stop();
  const end = endOf(watchdog.hasBitten, ended);
  // What was killed while it wrote has left a part of a report.
  const report = parseJson(await readFile(reportFile, "utf8").catch(() => "")) as RespectReport | undefined;
  const log = await readLog();
  const { begun } = readProgress(log);
  if (report !== undefined) return { end, begun, report: await withAnswers(report, answersFile) };
  if (begun.length > 0) return { end, begun };
  // Nothing was sent yet, so that there is no secret of the server in it.
  return { end: `${end}; it printed: ${lastLines(log)}`, begun };
}

/** Writes workflows that stand in one file into one file: where paths in it lead to the same, and apart from others, since `respect` mixes up steps of the same name in others. */
async function writeWorkflows(workflows: readonly ReadWorkflow[], name: string, folder: string): Promise<string[]> {
  const files = [...new Set(workflows.map(({ file }) => file))];
  return Promise.all(
    files.map(async (file) => {
      const copy = join(folder, "behaviour", `${name}.${file}`);
      // JSON is YAML, and quicker to write.
      await writeFile(copy, JSON.stringify(arazzoDocument(workflows.filter((workflow) => workflow.file === file))));
      return copy;
    }),
  );
}

function arazzoDocument(workflows: readonly ReadWorkflow[]): object {
  return {
    arazzo: "1.0.1",
    info: { title: "Workflows", version: "1" },
    sourceDescriptions: [
      { name: "chat", type: "openapi", url: "../chat.yaml" },
      { name: "states", type: "openapi", url: "../states.yaml" },
    ],
    workflows: workflows.map(({ source, steps }) => ({ ...source, steps, failureActions: [waitForMore] })),
  };
}
