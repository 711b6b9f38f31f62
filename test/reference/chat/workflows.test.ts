import { beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { readWorkflows } from "../../../scripts/rules/read-workflows.js";
import { atFeatureLevel } from "../../../src/contract/level/at-feature-level.js";
import { levelOfRules } from "../../../src/contract/level-of-rules.js";
import { loadContract } from "../../../src/contract/load-contract.js";
import { listRules } from "../../../src/contract/rules.js";
import { runWorkflows, type WorkflowResults } from "../../support/run-workflows.js";

const contract = await loadContract();
const rules = new Map(listRules(contract).map((rule) => [rule.id, rule]));
const workflows = readWorkflows().map((workflow) => {
  const shown = workflow.rules.flatMap((id) => rules.get(id) ?? []);
  return { ...workflow, level: levelOfRules(shown, newestLevel) };
});
const levels = [...new Set(workflows.map(({ level }) => level))].sort((a, b) => b - a);

describe.each(levels)("the workflows of the contract, at level %i", (level) => {
  const here = workflows.filter((workflow) => workflow.level === level);
  let results: WorkflowResults = new Map();

  beforeAll(async () => {
    const server = await createChatReference({ states: true, featureLevel: level, validateResponses: true });
    try {
      const files = [...new Set(here.map(({ file }) => file))];
      results = await runWorkflows(files, atFeatureLevel(contract, level), server);
    } finally {
      await server.close();
    }
  }, 120_000);

  it.each(here)("$workflowId", ({ workflowId }) => {
    expect(results.get(workflowId)).toEqual([]);
  });
});
