import { beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../src/contract/chat/level/at-feature-level.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import { type ReadWorkflow, readWorkflows } from "../../../src/contract/chat/workflows.js";
import { compileValidators } from "../../../src/verify/chat/judge/validators.js";
import { listWorkflows } from "../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../src/verify/chat/workflows/run-workflows.js";
import type { CheckOutcome } from "../../../src/verify/check.js";
import { levelOfRules } from "../../support/level-of-rules.js";

const contract = await loadContract();
const rules = new Map(listRules(contract).map((rule) => [rule.id, rule]));
const workflows = readWorkflows().map(({ workflowId, rules: ids }) => {
  const shown = ids.flatMap((id) => rules.get(id) ?? []);
  return { workflowId, level: levelOfRules(shown, newestLevel) };
});
// At the newest level, `test/reference/verify.test.ts` runs all of them.
const older = [...new Set(workflows.map(({ level }) => level))].filter((level) => level !== newestLevel);
// The oldest server keeps all rules without a level.
const levels = [...new Set([0, ...older])];

describe.each(levels)("contract workflows at level %i", (level) => {
  const view = atFeatureLevel(contract, level);
  const here: readonly Pick<ReadWorkflow, "workflowId">[] =
    level === 0 ? listWorkflows(contract, view) : workflows.filter((workflow) => workflow.level === level);
  const outcomes = new Map<string, CheckOutcome>();

  beforeAll(async () => {
    const names = new Set(here.map(({ workflowId }) => workflowId));
    const selected = listWorkflows(contract, view).filter(({ workflowId }) => names.has(workflowId));
    const server = await createChatReference({ states: true, featureLevel: level, validateResponses: true });
    try {
      const { url, statesUrl } = server;
      const validators = await compileValidators(view);
      for (const { id, outcome } of await runWorkflows(selected, { url, statesUrl, contract: view, validators })) {
        outcomes.set(id, outcome);
      }
    } finally {
      await server.close();
    }
  });

  it.each(here)("pass: $workflowId", ({ workflowId }) => {
    expect(outcomes.get(`workflow ${workflowId}`)).toMatchObject({ kind: "passed" });
  });
});
