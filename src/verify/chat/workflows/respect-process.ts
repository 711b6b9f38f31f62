import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadWorkflow } from "../../../contract/chat/workflows.js";
import { parseJson } from "../../../parse-json.js";
import { findTool } from "../tool/find-tool.js";
import { createWatchdog, describeEnd, graceMs, lastLines, maxStartMs, runTool } from "../tool/run-tool.js";
import { recordAnswers, withRecordedAnswers } from "./record-answers.js";
import {
  createProgressFollower,
  type ProgressFollowerOptions,
  readProgress,
  type StartedWorkflow,
} from "./respect-progress.js";
import type { RespectReport } from "./respect-report.js";

/** The context that all processes of a run share. */
export interface RespectRun extends ProgressFollowerOptions {
  /** The script of Redocly. */
  readonly script: string;
  /** A temporary folder like `openapi/`, with `chat.yaml`, `states.yaml`, and `behaviour/` with the files that workflows upload. */
  readonly folder: string;
  /** The URL of the API, with `/api/v1`. */
  readonly apiUrl: string;
  /** The URL of the provider states. Omitted if no workflow needs them. */
  readonly statesUrl?: string;
  readonly signal: AbortSignal;
}

/** How a process ended. */
export interface RespectEnd {
  /** Undefined if the process wrote no report. */
  readonly report?: RespectReport;
  /** How it ended, as a phrase. */
  readonly end: string;
  /** The workflows that started, in order. */
  readonly started: readonly StartedWorkflow[];
}

const maxSteps = 1_000_000;
const maxRunMs = 2 ** 31 - 1;
/** Retries a step for 30 seconds after a 429, because `respect` ignores `Retry-After`. */
const retryAfterRateLimit = {
  name: "retry-after-rate-limit",
  type: "retry",
  retryAfter: 1,
  retryLimit: 30,
  criteria: [{ condition: "$statusCode == 429" }],
};

/** Finds the script of Redocly. Throws a `CouldNotRunError` that says how to install it if it is missing. */
export function findRedocly(folder?: string): string {
  const need = "The workflows of the contract are run by `redocly respect`, which is not installed";
  return findTool({ need, script: "@redocly/cli/bin/cli.js", install: "@redocly/cli@2.77.0" }, folder);
}

/** Runs workflows with `redocly respect` in a separate process. `name` is unique in the folder. */
export async function runRespect(
  workflows: readonly ReadWorkflow[],
  name: string,
  run: RespectRun,
): Promise<RespectEnd> {
  const { script, folder, apiUrl, statesUrl, timeoutMs, signal } = run;
  const [reportFile, answersFile] = [join(folder, `${name}.report.json`), join(folder, `${name}.answers.jsonl`)];
  const files = await writeWorkflows(workflows, name, folder);
  const servers = [`chat=${apiUrl}`, ...(statesUrl === undefined ? [] : [`states=${statesUrl}`])];
  const tool = runTool({
    script,
    args: [
      ...["respect", ...files, ...servers.flatMap((server) => ["-S", server]), "--json-output", reportFile],
      // This package masks the report, because it knows more secrets.
      ...["--no-secrets-masking", "--max-steps", String(maxSteps)],
      // This package checks every response against the contract, more leniently and with clearer messages.
      ...["--severity", "SCHEMA_CHECK=off,STATUS_CODE_CHECK=off"],
      ...["--max-fetch-timeout", String(timeoutMs), "--execution-timeout", String(maxRunMs)],
    ],
    folder,
    output: `${name}.log`,
    imports: [recordAnswers(answersFile)],
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    signal,
  });
  const watchdog = createWatchdog(maxStartMs, tool.kill);
  const readLog = () => readFile(tool.outputFile, "utf8").catch(() => "");
  const follower = createProgressFollower(run);
  let printed = 0;
  const poll = setInterval(
    async () => {
      // Every step prints a line, so new output is progress.
      const log = await readLog();
      if (log.length > printed) watchdog.restart(timeoutMs + graceMs);
      printed = Math.max(printed, log.length);
      follower.update(log);
    },
    Math.min(1000, timeoutMs / 4),
  );
  const ended = await tool.ended;
  clearInterval(poll);
  watchdog.stop();
  const end = describeEnd(watchdog, ended);
  // A process that is killed while writing leaves an incomplete report.
  const report = parseJson(await readFile(reportFile, "utf8").catch(() => "")) as RespectReport | undefined;
  const log = await readLog();
  const started = readProgress(log);
  if (report !== undefined) return { end, started, report: await withRecordedAnswers(report, answersFile) };
  if (started.length > 0) return { end, started };
  // Nothing was sent yet, so the output holds no secret of the server.
  return { end: `${end}; it printed: ${lastLines(log)}`, started };
}

/**
 * Writes workflows into copies of their files, beside which relative paths still work. Keeps files apart, because `respect` confuses steps
 * of the same name within a file.
 */
async function writeWorkflows(workflows: readonly ReadWorkflow[], name: string, folder: string): Promise<string[]> {
  const files = [...new Set(workflows.map(({ file }) => file))];
  return Promise.all(
    files.map(async (file) => {
      const copy = join(folder, "behaviour", `${name}.${file}`);
      // JSON is valid YAML, and faster to write.
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
    workflows: workflows.map(({ source, steps }) => ({ ...source, steps, failureActions: [retryAfterRateLimit] })),
  };
}
