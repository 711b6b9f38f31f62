import { readdirSync } from "node:fs";
import { workflowFolder } from "../../src/contract/chat/workflows.js";
import { bundleContract } from "../generate/bundle.js";
import { readDaemonCases } from "../generate/daemon-cases.js";
import { runBuf } from "../generate/run-buf.js";
import { expandWorkflows } from "../generate/workflows/generate-workflows.js";
import { runRedocly } from "../redocly/run-redocly.js";
import type { Problem } from "../yaml-source.js";
import type { CheckResult, ProjectCheck } from "./project-check.js";

/** On GitHub, findings become annotations on the changed lines. */
const onGitHub = process.env.GITHUB_ACTIONS === "true";

/** The checks of the hand-written contracts. */
export const contractChecks: readonly ProjectCheck[] = [
  {
    name: "REST contract, states and generated workflows",
    run: async () => {
      const names = readdirSync(workflowFolder).filter((name) => name.endsWith(".yaml"));
      const workflows = names.map((name) => `generated/chat/behaviour/${name}`);
      const format = onGitHub ? "github-actions" : "codeframe";
      const { ok, stdout, stderr } = await runRedocly(
        "lint",
        "chat@sources",
        "openapi/states.yaml",
        ...workflows,
        "--format",
        format,
      );
      return ok ? { ok } : { ok, output: `${stderr}${stdout}` };
    },
  },
  {
    name: "Workflows",
    run: async () => {
      const { resources, problems } = expandWorkflows(await bundleContract());
      return resultOf(problems, () => `${[...resources.values()].flat().length} workflows`);
    },
  },
  {
    name: "RPC contract",
    run: async () => {
      await runBuf("lint", ...(onGitHub ? ["--error-format", "github-actions"] : []));
      return { ok: true };
    },
  },
  {
    name: "RPC cases",
    run: async () => {
      const { problems, cases, rules } = await readDaemonCases();
      return resultOf(problems, () => `${cases.length} cases, ${rules.length} rules`);
    },
  },
];

function resultOf(problems: readonly Problem[], detail: () => string): CheckResult {
  return problems.length > 0
    ? { ok: false, output: problems.map(onGitHub ? annotation : String).join("\n") }
    : { ok: true, detail: detail() };
}

/** Converts `file:line: text` to an annotation. Source: workflow commands of GitHub Actions. */
function annotation(problem: string): string {
  const [, file = "", line = "", text = ""] = /^([^:]+):(\d+): (.*)$/s.exec(problem) ?? [];
  return `::error file=${file},line=${line}::${text.replaceAll("%", "%25").replaceAll("\n", "%0A")}`;
}
