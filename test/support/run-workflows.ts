import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runRedocly } from "../../scripts/redocly/run-redocly.js";
import type { ContractDocument } from "../../src/contract/document.js";
import { formatContract } from "../../src/contract/format-contract.js";

const openapi = fileURLToPath(new URL("../../openapi", import.meta.url));

/** What became of a workflow: what is wrong, one line for each failed check; empty when all went well. */
export type WorkflowResults = ReadonlyMap<string, readonly string[]>;

interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly ReportedWorkflow[] }>>;
}

interface ReportedWorkflow {
  readonly workflowId: string;
  readonly status?: string;
  readonly executedSteps: readonly {
    readonly stepId: string;
    readonly response?: { readonly statusCode: number; readonly body?: unknown };
    readonly checks?: readonly {
      readonly name: string;
      readonly passed: boolean;
      readonly message: string;
      readonly condition?: string;
    }[];
  }[];
}

/**
 * Runs every workflow of Arazzo files, names in `openapi/behaviour`, with `redocly respect` against a server that keeps a contract,
 * such as the view of a level.
 */
export async function runWorkflows(
  files: readonly string[],
  contract: ContractDocument,
  server: { readonly url: string; readonly statesUrl: string },
): Promise<WorkflowResults> {
  const folder = await mkdtemp(join(tmpdir(), "accord-workflows-"));
  try {
    // The workflows refer to the contract by its place, so they are copied beside the one that the server keeps.
    await cp(openapi, folder, { recursive: true, filter: (path) => !/\/paths$/.test(path) });
    await writeFile(join(folder, "chat.yaml"), formatContract(contract, "yaml"));
    const output = join(folder, "report.json");
    const copies = files.map((file) => join(folder, "behaviour", file));
    const servers = ["-S", `chat=${server.url}/api/v1`, "-S", `states=${server.statesUrl.replace(/\/states$/, "")}`];
    const { stdout, stderr } = await runRedocly("respect", ...copies, ...servers, "--json-output", output);
    const report: Report = JSON.parse(
      await readFile(output, "utf8").catch(() => {
        throw new Error(`redocly respect wrote no report: ${stderr}${stdout.slice(-2000)}`);
      }),
    );
    return new Map(
      Object.values(report.files).flatMap(({ executedWorkflows }) =>
        executedWorkflows.map((workflow) => [workflow.workflowId, problemsOf(workflow)] as const),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function problemsOf({ executedSteps, status }: ReportedWorkflow): string[] {
  const problems = executedSteps.flatMap(({ stepId, response, checks = [] }) =>
    checks
      .filter(({ passed }) => !passed)
      .map(({ name, message, condition }) => {
        const got = `answered ${response?.statusCode} ${JSON.stringify(response?.body ?? "").slice(0, 300)}`;
        return `step ${stepId}: ${name} ${condition ?? message}; ${got}`;
      }),
  );
  return problems.length === 0 && status !== "success" ? [`the workflow ended with status ${status}`] : problems;
}
