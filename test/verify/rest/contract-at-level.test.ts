import { describe, expect, it } from "vitest";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import { chatContract } from "../../../src/chat/contract.js";
import { contractAtLevel } from "../../../src/verify/rest/contract-at-level.js";
import { probesMeant } from "../../../src/verify/rest/select-checks.js";

const body = { result: "success", msg: "", url: "/user_uploads/1/notes.txt", uri: "/user_uploads/1/notes.txt" };

describe("contractAtLevel", () => {
  it("derives only the probes of the operations that are asked for", async () => {
    const chat = await chatContract();
    const { probes, operations } = await contractAtLevel(chat, chat.newestLevel, ({ path }) => path === "/messages");
    const derived = new Set([...probes].map(({ operation }) => operation));
    expect([...derived].map((id) => operations.get(id)?.path)).toEqual(["/messages"]);
    expect(operations.size).toBeGreaterThan(20);
  });
});

describe("probesMeant", () => {
  it.each([
    [{ only: ["probe getMessages/anchor-missing"] }, ["getMessages"]],
    [{ only: ["probe getMessages/*", "case muteUser/"] }, ["getMessages"]],
    [{ only: ["probe get*"], operations: ["GET /messages"] }, ["getMessages"]],
    [{ only: ["case getMessages/"] }, []],
    [{ only: ["getMessages"] }, undefined],
    [{ only: ["probe getMessages", "getMessages.order"] }, undefined],
    [{}, undefined],
  ])("names the operations whose probes %j may select", async (options, ids) => {
    const { operations } = await chatAtLevel((await chatContract()).newestLevel);
    const isMeant = probesMeant(options);
    expect(isMeant && [...operations.values()].filter(isMeant).map(({ operationId }) => operationId)).toEqual(ids);
  });
});

describe("chatAtLevel", () => {
  it.each([
    { level: 284, isValid: true },
    { level: 285, isValid: true },
    { level: 286, isValid: false },
  ])("lets a server of level $level omit a field that level 285 added: $isValid", async ({ level, isValid }) => {
    const { validators } = await chatAtLevel(level);
    expect(validators.uploadFile?.[200]?.(body)).toBe(isValid);
  });
});
