import { describe, expect, it } from "vitest";
import { brokenRules } from "../../../../src/verify/chat/workflows/judge-workflow.js";

const operationId = "$sourceDescriptions.chat.editMessage";
const steps = [
  { stepId: "send", operationId },
  { stepId: "edit", operationId, "x-rules": ["edit"] },
  { stepId: "look", operationId, "x-rules": ["edit", "history"] },
];

describe("brokenRules", () => {
  it.each([
    ["send", ["other"]],
    ["edit", ["edit", "other"]],
    ["look", ["edit", "history", "other"]],
  ])("step %s breaks what it names, and what no step names", (failed, want) => {
    expect(brokenRules({ rules: ["edit", "history", "other"], steps }, failed)).toEqual(want);
  });

  it("breaks every rule when no step names one", () => {
    const plain = steps.map(({ stepId }) => ({ stepId, operationId }));
    expect(brokenRules({ rules: ["edit", "history"], steps: plain }, "look")).toEqual(["edit", "history"]);
  });
});
