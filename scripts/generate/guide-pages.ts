import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExpandedWorkflows } from "../../src/behaviour/expand-workflows.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import type { RpcCases } from "../../src/contract/rpc/cases.js";
import { clientRulesPage } from "./client-rules-page.js";
import { derivedPage } from "./derived-page.js";
import { featureLevelPage } from "./feature-level-page.js";
import { limitsPage } from "./limits-page.js";
import { readOpenPoints } from "./open-points.js";
import { openQuestionsPage } from "./open-questions-page.js";
import { openApiPage } from "./openapi-page.js";
import { listWorkflowRules } from "./workflow-rules.js";

/** Everything that the generated pages of `docs/` are about. */
interface GuideSources {
  readonly contract: ContractDocument;
  readonly workflows: ExpandedWorkflows;
  readonly daemon: RpcCases;
}

/** Writes the generated pages of `docs/` into `outDir`. Throws if a file of open points is invalid. */
export async function generateGuides(sources: GuideSources, outDir: string): Promise<void> {
  const { contract, daemon } = sources;
  await writeFile(join(outDir, "client-rules.md"), clientRulesPage(contract, daemon.clientRules));
  await writeFile(join(outDir, "derived.md"), derivedPage());
  await writeFile(join(outDir, "feature-levels.md"), featureLevelPage(contract));
  await writeFile(join(outDir, "limits.md"), limitsPage());
  await writeFile(join(outDir, "openapi.md"), openApiPage());
  await writeFile(join(outDir, "open-questions.md"), await openQuestions(sources));
}

async function openQuestions({ contract, workflows: expanded, daemon }: GuideSources): Promise<string> {
  const [chat, rpc] = [readOpenPoints("chat"), readOpenPoints("daemon")];
  const problems = [...chat.problems, ...rpc.problems];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const workflows = await listWorkflowRules(expanded);
  return openQuestionsPage({ contract, workflows, daemon, chatTopics: chat.topics, daemonTopics: rpc.topics });
}
