import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContractDocument } from "../../src/contract/chat/document.js";
import type { DaemonCases } from "../../src/contract/daemon/cases.js";
import { bundleContract } from "./bundle.js";
import { generateChat } from "./chat.js";
import { clientRulesPage } from "./client-rules-page.js";
import { generateDaemon } from "./daemon.js";
import { readDaemonCases } from "./daemon-cases.js";
import { featureLevelPage } from "./feature-level-page.js";
import { generatedPaths } from "./generated-paths.js";
import { hashSources, rememberResult } from "./generation-cache.js";
import { readOpenPoints } from "./open-points.js";
import { openQuestionsPage } from "./open-questions-page.js";
import { generatePageScript } from "./page-script.js";
import { type ExpandedWorkflows, expandWorkflows } from "./workflows/generate-workflows.js";
import { listWorkflowRules } from "./workflows/workflow-rules.js";

/**
 * Generates everything from scratch, from the contracts and the browser code of the HTML report, and passes the temporary folder with the
 * result to `use`. Needs no network. Rejects, without calling `use`, if a contract is broken.
 */
export async function withGenerated<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "accord-generate-"));
  try {
    const [contract, daemon] = await Promise.all([bundleContract(), readDaemonCases()]);
    await mkdir(join(folder, "docs"));
    const workflows = expandWorkflows(contract);
    await writeFile(join(folder, "docs/client-rules.md"), clientRulesPage(contract, daemon.clientRules));
    await writeFile(join(folder, "docs/feature-levels.md"), featureLevelPage(contract));
    await writeFile(join(folder, "docs/open-questions.md"), openQuestions(contract, workflows, daemon));
    await Promise.all([
      generateChat(contract, workflows, join(folder, "generated/chat")),
      generateDaemon(daemon, join(folder, "generated/daemon")),
      generatePageScript(join(folder, "generated/verify")),
    ]);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function openQuestions(contract: ContractDocument, expanded: ExpandedWorkflows, daemonCases: DaemonCases): string {
  const [chat, daemon] = [readOpenPoints("chat"), readOpenPoints("daemon")];
  const problems = [...chat.problems, ...daemon.problems];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const { workflows } = listWorkflowRules(contract, expanded);
  return openQuestionsPage({
    contract,
    workflows,
    daemon: daemonCases,
    chatTopics: chat.topics,
    daemonTopics: daemon.topics,
  });
}

/** Generates everything below `root`. Replaces the earlier files once all of the new ones exist. */
export async function generateAll(root: string): Promise<void> {
  const sources = await hashSources(root);
  await withGenerated(async (folder) => {
    for (const path of generatedPaths) {
      await rm(join(root, path), { recursive: true, force: true });
      await cp(join(folder, path), join(root, path), { recursive: true });
    }
  });
  await rememberResult(root, sources);
}
