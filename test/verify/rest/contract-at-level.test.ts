import { describe, expect, it } from "vitest";
import { chatAtLevel } from "../../../src/chat/verify.js";

const body = { result: "success", msg: "", url: "/user_uploads/1/notes.txt", uri: "/user_uploads/1/notes.txt" };

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
