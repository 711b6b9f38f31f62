import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { loadContract } from "../../../src/chat/contract.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../../../src/contract/rest/level/cases-at-level.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import { chatFacts } from "../../requirements/facts.js";
import { runCheck } from "../../support/run-check.js";
import { sampleOf } from "../../support/thorough.js";

const contract = await loadContract();
const rows = chatFacts.levels.flatMap(({ levels, subject }) => levels.map((level) => ({ level, subject })));

/** The level just below each one of the list. Nothing changes between two neighbours in the list, so these stand for all other levels. */
const before = rows.map(({ level, subject }) => ({ level: level - 1, subject, next: Math.min(level, newestLevel) }));

describe("the list of feature levels", () => {
  it("has 30 entries, and ends with the newest level of the contract", () => {
    expect(rows).toHaveLength(30);
    expect(Math.max(...rows.map(({ level }) => level))).toBe(newestLevel);
  });
});

describe.each(sampleOf(before, 5))("a server at level $level, before: $subject", ({ level, next }) => {
  const view = atFeatureLevel(contract, level);
  const cases = changedCases(level, view, atFeatureLevel(contract, next));
  let server: ChatReference;
  beforeAll(async () => {
    server = await createChatReference({ states: true, featureLevel: level, validateResponses: true });
  });
  afterAll(() => server.close());

  it("reports its level", async () => {
    const response = await fetch(`${server.url}/api/v1/server_settings`);
    expect(await response.json()).toMatchObject({ service_feature_level: level });
  });

  it.concurrent.each(cases)("passes the case $operationId $name", async ({ operationId, name }) => {
    expect(await runCheck(`case ${operationId}/${name}`, level, server)).toMatchObject({ kind: "passed" });
  });
});

/** The cases of a level for operations that the next level changes or removes. */
function changedCases(level: number, view: ContractDocument, next: ContractDocument): Case[] {
  const later = new Map(listOperations(next).map(({ operation }) => [operation.operationId, operation]));
  const changed = listOperations(view).filter(
    ({ operation }) => !isDeepStrictEqual(operation, later.get(operation.operationId)),
  );
  const names = new Set(changed.map(({ operation }) => operation.operationId));
  return casesAtLevel(contract, level).filter(({ operationId }) => names.has(operationId));
}
