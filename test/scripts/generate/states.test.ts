import { describe, expect, it } from "vitest";
import { stateValidators } from "../../../generated/chat/state-validators.js";

describe("stateValidators", () => {
  it.each([
    ["channel", { name: "Denmark", subscribers: ["member"] }, true],
    ["channel", { name: "Denmark", organization: "org-1" }, true],
    ["channel", {}, false],
    ["channel", { name: "Denmark", subscribers: ["moon"] }, false],
    ["channel", { name: "Denmark", colour: "red" }, false],
    ["organization", { settings: { message_content_edit_limit_seconds: null } }, true],
    ["organization", { settings: { colour: "red" } }, false],
    ["missing", { organization: "org-1" }, true],
    ["missing", { name: "Denmark" }, false],
    ["missing", [], false],
  ] as const)("validates %s with %j: %s", (state, params, fits) => {
    expect(stateValidators[state](params)).toBe(fits);
  });
});
