import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { loadContract } from "../../src/chat/contract.js";
import type { Case } from "../../src/contract/rest/cases.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../../src/contract/rest/level/cases-at-level.js";
import { listOperations } from "../../src/contract/rest/operations.js";
import { expectedResponse } from "../../src/dredd/expected-response.js";
import { sampleOf } from "../support/thorough.js";

const contract = await loadContract();

// One instance, because each compiles the schema of schemas.
const ajv = new Ajv({ strict: false, validateFormats: false });

function expectedOf(document: ContractDocument, one: Case) {
  const listed = listOperations(document).find(({ operation }) => operation.operationId === one.operationId);
  if (listed === undefined) throw new Error(`unknown operation ${one.operationId}`);
  return expectedResponse(document, listed.operation, one);
}

function fits(document: ContractDocument, one: Case, body: unknown): boolean {
  return ajv.validate(JSON.parse(expectedOf(document, one).bodySchema ?? "false"), body);
}

describe("expectedResponse", () => {
  it.each([newestLevel, 200, 1])("fits the response of each case of level %i", (level) => {
    const view = atFeatureLevel(contract, level);
    const cases = casesAtLevel(contract, level);
    expect(cases.length).toBeGreaterThan(200);
    expect(
      sampleOf(cases, 3)
        .filter((one) => !fits(view, one, one.response.body))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it("has the status and the media type of the case", () => {
    expect(expectedOf(contract, find("unsubscribe", "unknown_channel"))).toMatchObject({
      statusCode: "400",
      headers: { "Content-Type": "application/json" },
    });
  });

  it.each<readonly [what: string, operationId: string, name: string, change: object, isAccepted: boolean]>([
    ["another field", "unsubscribe", "unknown_channel", { further: 1 }, true],
    ["the code of another error", "unsubscribe", "unknown_channel", { code: "BAD_REQUEST" }, false],
    ["an undocumented code", "unsubscribe", "unknown_channel", { code: "MY_CODE" }, false],
    ["a code without its field", "unsubscribe", "unknown_channel", { stream: undefined }, false],
    ["another value than the fixed one", "unsubscribe", "unknown_channel", { stream: "jazz" }, false],
    ["another list than the fixed one", "unsubscribe", "other_user_by_id", { removed: [] }, false],
    ["another text", "unsubscribe", "unknown_channel", { msg: "No" }, true],
    ["no element with a fixed value", "getMessages", "unicode_reaction", { messages: [] }, false],
    ["any code of an open case", "editMessage", "content_too_long", { code: "MY_CODE" }, true],
    ["no code of an open case", "editMessage", "content_too_long", { code: undefined }, false],
    ["a success of an open case", "editMessage", "content_too_long", { result: "success" }, false],
  ])("decides on %s", (_, operationId, name, change, isAccepted) => {
    const one = find(operationId, name);
    expect(fits(contract, one, { ...(one.response.body as object), ...change })).toBe(isAccepted);
  });

  it("fixes a value inside an element", () => {
    const one = find("getMessages", "unicode_reaction");
    expect(one.exact).toContain("/messages/0/reactions/0/emoji_name");
    const body = structuredClone(one.response.body) as { messages: { reactions: { emoji_name: string }[] }[] };
    Object.assign(body.messages[0]?.reactions[0] ?? {}, { emoji_name: "moon" });
    expect(fits(contract, one, body)).toBe(false);
  });
});

function find(operationId: string, name: string): Case {
  const found = casesAtLevel(contract, newestLevel).find((one) => one.operationId === operationId && one.name === name);
  if (found === undefined) throw new Error(`unknown case ${operationId}/${name}`);
  return found;
}
