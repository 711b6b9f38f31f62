import { describe, expect, it } from "vitest";
import { contractAtLevel } from "../../../src/verify/rest/contract-at-level.js";

const body = { result: "success", msg: "", url: "/user_uploads/1/notes.txt", uri: "/user_uploads/1/notes.txt" };

describe("contractAtLevel", () => {
  it.each([
    { level: 284, isValid: true },
    { level: 285, isValid: true },
    { level: 286, isValid: false },
  ])("lets a server of level $level omit a field that level 285 added: $isValid", async ({ level, isValid }) => {
    const { validators } = await contractAtLevel(level);
    expect(validators.uploadFile?.[200]?.(body)).toBe(isValid);
  });
});
