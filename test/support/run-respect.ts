import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runRedocly } from "../../src/base/run-redocly.js";

/** The ids of the workflows that passed and failed. */
export interface RespectResult {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** The part of Respect's report that is read. */
interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly ExecutedWorkflow[] }>>;
}

interface ExecutedWorkflow {
  readonly workflowId: string;
  readonly status: string;
}

/** Runs Arazzo documents with Redocly's Respect, as its users do, against the chat server and the provider states at a URL. */
export async function runRespect(
  documents: readonly string[],
  url: string,
  ...options: readonly string[]
): Promise<RespectResult> {
  const folder = await mkdtemp(join(tmpdir(), "accord-respect-"));
  try {
    const report = join(folder, "report.json");
    const servers = ["-S", `chat=${url}/api/v1`, "-S", `states=${url}`];
    const { ok, stderr } = await runRedocly("respect", ...documents, ...servers, "--json-output", report, ...options);
    const { files }: Report = JSON.parse(await readFile(report, "utf8"));
    const workflows = Object.values(files).flatMap(({ executedWorkflows }) => executedWorkflows);
    const named = (status: string) => workflows.filter((one) => one.status === status).map((one) => one.workflowId);
    const [passed, failed] = [named("success"), named("error")];
    if (ok !== (failed.length === 0)) throw new Error(`Respect contradicts its report: ${stderr}`);
    return { passed, failed };
  } finally {
    await rm(folder, { recursive: true });
  }
}
