import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { loadCases, loadContract } from "../../../src/chat/contract.js";
import { listRules } from "../../../src/contract/rest/rules.js";
import { levelOfRules } from "../../support/level-of-rules.js";
import { runCheck } from "../../support/run-check.js";

const rules = new Map(listRules(await loadContract()).map((rule) => [rule.id, rule]));
const cases = (await loadCases()).map((one) => {
  const shown = [one.rule, ...one.also].flatMap((id) => rules.get(id) ?? []);
  return { ...one, level: levelOfRules(shown, newestLevel) };
});
// At the newest level, `test/reference/verify.test.ts` runs all of them.
const levels = [...new Set(cases.map(({ level }) => level))].filter((level) => level !== newestLevel);

describe.each(levels)("contract cases at level %i", (featureLevel) => {
  let server: ChatReference;
  beforeAll(async () => {
    server = await createChatReference({ states: true, featureLevel, validateResponses: true });
  });
  afterAll(() => server.close());

  it.concurrent.each(cases.filter(({ level }) => level === featureLevel))(
    "gets the specified response to $operationId $name",
    async (one) => {
      expect(await runCheck(`case ${one.operationId}/${one.name}`, featureLevel, server)).toMatchObject({
        kind: "passed",
      });
    },
  );
});
