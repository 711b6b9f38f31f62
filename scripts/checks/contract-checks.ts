import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { formatAnnotation, formatLintFinding, type LintFinding, lintFindingOf } from "../../src/lint/finding.js";
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
    name: "REST contract and states",
    inputs: { paths: restPaths, modules },
    run: async () => {
      const [{ lintDocument }, { houseRules }] = await Promise.all([
        import("../../src/lint/rest/lint-openapi.js"),
        import("../redocly/plugin.js"),
      ]);
      // The settings of editors, so that both find the same.
      const { extends: rulesets, rules, apis } = parse(readFileSync("redocly.yaml", "utf8"));
      const { preprocessors, rules: own } = apis["chat@sources"];
      const config = { extends: rulesets, rules };
      const findings = [
        ...(await lintDocument(
          "openapi/chat.yaml",
          { ...config, preprocessors, rules: { ...rules, ...own } },
          houseRules,
        )),
        ...(await lintDocument("openapi/states.yaml", config)),
      ];
      return resultOf(findings);
    },
  },
  {
    name: "Workflows",
    inputs: { paths: restPaths, modules },
    run: async () => {
      const { bundleContract } = await import("../generate/bundle.js");
      const { expandWorkflows } = await import("../../src/behaviour/expand-workflows.js");
      const { workflows, problems } = expandWorkflows(await bundleContract(), "openapi/behaviour");
      return resultOf(
        problems.map((problem) => lintFindingOf(problem)),
        `${workflows.length} workflows`,
      );
    },
  },
  {
    name: "RPC contract",
    inputs: { paths: rpcPaths, modules },
    run: async () => {
      const { lintProto } = await import("../../src/lint/rpc/lint-proto.js");
      return resultOf(await lintProto("proto", { tier: "strict", runsCode: true }));
    },
  },
  {
    name: "RPC cases",
    inputs: { paths: rpcPaths, modules },
    run: async () => {
      const { readDaemonCases } = await import("../generate/daemon-cases.js");
      const { problems, cases, rules } = await readDaemonCases();
      return resultOf(
        problems.map((problem) => lintFindingOf(problem)),
        `${cases.length} cases, ${rules.length} rules`,
      );
    },
  },
];

function resultOf(findings: readonly LintFinding[], detail?: string): CheckResult {
  return findings.length > 0
    ? { ok: false, output: findings.map(onGitHub ? formatAnnotation : formatLintFinding).join("\n") }
    : { ok: true, detail };
}
