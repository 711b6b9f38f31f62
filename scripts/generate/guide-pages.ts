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

/** Everything that the generated pages are about. */
interface GuideSources {
  readonly contract: ContractDocument;
  readonly workflows: ExpandedWorkflows;
  readonly daemon: RpcCases;
}

/** Writes the generated pages into folders below `outDir`. Throws if a file of open points is invalid. */
export async function generateGuides(sources: GuideSources, outDir: string): Promise<void> {
  const { contract, daemon } = sources;
  const pages = {
    "docs/derived.md": derivedPage(),
    "docs/limits.md": limitsPage(),
    "docs/openapi.md": openApiPage(),
    "generated/guides/client-rules.md": clientRulesPage(contract, daemon.clientRules),
    "generated/guides/feature-levels.md": featureLevelPage(contract),
    "generated/guides/open-questions.md": await openQuestions(sources),
  };
  for (const [path, text] of Object.entries(pages)) await writeFile(join(outDir, path), text);
}

async function openQuestions({ contract, workflows: expanded, daemon }: GuideSources): Promise<string> {
  const [chat, rpc] = [readOpenPoints("chat"), readOpenPoints("daemon")];
  const problems = [...chat.problems, ...rpc.problems];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const workflows = await listWorkflowRules(expanded);
  return openQuestionsPage({ contract, workflows, daemon, chatTopics: chat.topics, daemonTopics: rpc.topics });
}
