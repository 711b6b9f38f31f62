import { readdirSync } from "node:fs";
import type { Problem } from "../../src/contract/yaml-source.js";
import type { CheckResult, ProjectCheck } from "./project-check.js";

/** On GitHub, findings become annotations on the changed lines. */
const onGitHub = process.env.GITHUB_ACTIONS === "true";

/** The modules of all these checks. `load-plugin.mjs` imports the plugin by a name that is no import. */
const modules = ["scripts/checks/contract-checks.ts", "scripts/redocly/load-plugin.mjs", "scripts/redocly/plugin.ts"];
const restPaths = ["openapi", "redocly.yaml", ".redocly.lint-ignore.yaml", ".env"];
const rpcPaths = ["proto", "buf.yaml", "buf.lock"];

/** The checks of the hand-written contracts. Each loads its modules when it runs, because most runs find some checks unchanged. */
export const contractChecks: readonly ProjectCheck[] = [
  {
    name: "REST contract, states and generated workflows",
    inputs: { paths: [...restPaths, "generated/chat"], modules },
    run: async () => {
      const { runRedocly } = await import("../redocly/run-redocly.js");
      const names = readdirSync("generated/chat/behaviour").filter((name) => name.endsWith(".yaml"));
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
    inputs: { paths: restPaths, modules },
    run: async () => {
      const { bundleContract } = await import("../generate/bundle.js");
      const { expandWorkflows } = await import("../generate/workflows/expand-workflows.js");
      const { workflows, problems } = expandWorkflows(await bundleContract());
      return resultOf(problems, () => `${workflows.length} workflows`);
    },
  },
  {
    name: "RPC contract",
    inputs: { paths: rpcPaths, modules },
    run: async () => {
      const { runBuf } = await import("../../src/contract/rpc/run-buf.js");
      await runBuf("lint", ...(onGitHub ? ["--error-format", "github-actions"] : []));
      return { ok: true };
    },
  },
  {
    name: "RPC cases",
    inputs: { paths: rpcPaths, modules },
    run: async () => {
      const { readDaemonCases } = await import("../generate/daemon-cases.js");
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
