import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadWorkflow } from "../../../contract/read-workflows.js";
import { findTool } from "../tool/find-tool.js";
import { runTool } from "../tool/run-tool.js";
import { createWatchdog } from "../tool/watchdog.js";
import type { RespectReport } from "./respect-report.js";

/** What every process of a run has in common. */
export interface RespectMeans {
  /** The script of Redocly. */
  readonly script: string;
  /** A temporary folder like `openapi/`: with `chat.yaml`, `states.yaml`, `components/` and an empty `behaviour/`. */
  readonly folder: string;
  /** The API, with `/api/v1`. */
  readonly apiUrl: string;
  /** Left out when no workflow sets states up. */
  readonly statesUrl?: string;
  /** How long a request may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of a process. */
export interface RespectEnd {
  /** Left out when none was written. */
  readonly report?: RespectReport;
  /** How it ended, in words. */
  readonly end: string;
  /** The workflow that was begun last. */
  readonly underWay?: string;
}

const longestStartMs = 120_000;
const graceMs = 10_000;
const mostSteps = 1_000_000;
const longestRunMs = 2 ** 31 - 1;

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
  const reportFile = join(folder, `${name}.report.json`);
  const files = await writeWorkflows(workflows, name, folder);
  const servers = [`chat=${apiUrl}`, ...(statesUrl === undefined ? [] : [`states=${statesUrl}`])];
  const tool = runTool({
    script,
    args: [
      ...["respect", ...files, ...servers.flatMap((server) => ["-S", server]), "--json-output", reportFile],
      // All that is shown of the report is masked here, where more secrets are known.
      ...["--no-secrets-masking", "--max-steps", String(mostSteps)],
      ...["--max-fetch-timeout", String(timeoutMs), "--execution-timeout", String(longestRunMs)],
    ],
    folder,
    output: `${name}.log`,
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    signal,
  });
  const watchdog = createWatchdog(longestStartMs, tool.kill);
  let printed = 0;
  const look = setInterval(async () => {
    // Every step prints a line.
    const now = await readFile(tool.outputFile, "utf8").catch(() => "");
    if (now.length > printed) watchdog.restart(timeoutMs + graceMs);
    printed = now.length;
  }, 1000);
  const ended = await tool.ended;
  clearInterval(look);
  watchdog.stop();
  const end = watchdog.hasBitten ? "it took too long and was ended" : `it ended with ${ended}`;
  const report = await readFile(reportFile, "utf8").catch(() => undefined);
  if (report !== undefined) return { end, report: JSON.parse(report) };
  const log = await readFile(tool.outputFile, "utf8").catch(() => "");
  const [underWay] = [...log.matchAll(/Running workflow \S+ \/ (\S+)/g)].map(([, id]) => id).slice(-1);
  if (underWay !== undefined) return { end, underWay };
  // Nothing was sent yet, so that there is no secret in it.
  return { end: `${end}; it printed: ${log.trim().split("\n").slice(-8).join("\n").slice(-1000) || "nothing"}` };
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
    workflows: workflows.map(({ source, steps }) => ({ ...source, steps })),
  };
}
