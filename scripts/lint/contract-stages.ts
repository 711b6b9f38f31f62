import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readDaemonCases } from "../generate/daemon-cases.js";
import { runBuf } from "../generate/run-buf.js";
import { runRedocly } from "../redocly/run-redocly.js";
import type { Stage } from "../stages/stage.js";

const openapi = fileURLToPath(new URL("../../openapi", import.meta.url));

/** On GitHub, findings become annotations on the changed lines. */
const onGitHub = process.env.GITHUB_ACTIONS === "true";

/** The checks of the hand-written contracts. */
export const contractStages: readonly Stage[] = [
  {
    name: "REST contract, states and workflows",
    run: async () => {
      const workflows = readdirSync(`${openapi}/behaviour`).map((name) => `openapi/behaviour/${name}`);
      const format = onGitHub ? "github-actions" : "stylish";
      const { ok, stdout, stderr } = await runRedocly(
        "lint",
        "chat",
        "openapi/states.yaml",
        ...workflows,
        "--format",
        format,
      );
      return ok ? { ok } : { ok, output: `${stderr}${stdout}` };
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
      return problems.length > 0
        ? { ok: false, output: problems.map(onGitHub ? annotation : String).join("\n") }
        : { ok: true, detail: `${cases.length} cases, ${rules.length} rules` };
    },
  },
];

/** Makes an annotation of `file:line: what`. Source: workflow commands of GitHub Actions. */
function annotation(problem: string): string {
  const [, file = "", line = "", text = ""] = /^([^:]+):(\d+): (.*)$/s.exec(problem) ?? [];
  return `::error file=${file},line=${line}::${text.replaceAll("%", "%25").replaceAll("\n", "%0A")}`;
}
