import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import { loadContract, loadWorkflows } from "../../../src/chat/contract.js";
import { listRules } from "../../../src/contract/rest/rules.js";
import { levelOfRules } from "../../support/level-of-rules.js";
import { runCheck } from "../../support/run-check.js";

const rules = new Map(listRules(await loadContract()).map((rule) => [rule.id, rule]));
const workflows = (await loadWorkflows()).map(({ id, rules: shown }) => {
  return {
    id,
    level: levelOfRules(
      shown.flatMap((rule) => rules.get(rule) ?? []),
      newestLevel,
    ),
  };
});
// At the newest level, `test/reference/verify.test.ts` runs all of them.
const older = [...new Set(workflows.map(({ level }) => level))].filter((level) => level !== newestLevel);
// The oldest server keeps all rules without a level.
const { checks } = await chatAtLevel(0);
const atOldest = checks.flatMap(({ id, kind }) => (kind === "workflow" ? [{ id, level: 0 }] : []));

describe.each([...new Set([0, ...older])])("contract workflows at level %i", (level) => {
  let server: ChatReference;
  beforeAll(async () => {
    server = await createChatReference({ states: true, featureLevel: level, validateResponses: true });
  });
  afterAll(() => server.close());

  it.concurrent.each(level === 0 ? atOldest : workflows.filter((workflow) => workflow.level === level))(
    "pass: $id",
    async ({ id }) => {
      expect(await runCheck(id, level, server)).toMatchObject({ kind: "passed" });
    },
  );
});
