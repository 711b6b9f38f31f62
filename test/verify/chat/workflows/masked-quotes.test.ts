import { describe, expect, it } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { judgeWorkflow } from "../../../../src/verify/chat/workflows/judge-workflow.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";
import type { RespectStep } from "../../../../src/verify/chat/workflows/respect-report.js";

const contract = await loadContract();
const [workflow] = listWorkflows(contract, contract).filter(
  ({ workflowId }) => workflowId === "subscriptions-remove-twice",
);
const key = "gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv";

/** Builds the report of a step of the workflow. */
function stepAt(index: number, statusCode: number, body: unknown, message?: string): RespectStep {
  const stepId = workflow?.steps[index]?.stepId ?? "";
  const checks = [
    { name: "success criteria check", passed: message === undefined, message: message ?? "", severity: "error" },
  ];
  const headers = { "content-type": "application/json" };
  const request = {
    method: "POST",
    url: "http://127.0.0.1/states",
    headers: {},
    body: { state: "channel", params: {} },
  };
  return { stepId, request, response: { statusCode, headers, body }, checks };
}

async function judge(last: (filler: string) => RespectStep, before: number): Promise<string> {
  if (workflow === undefined) throw new Error("unknown workflow");
  const first = stepAt(0, 200, { credentials: { member: { api_key: key } } });
  const step = last(`${"-".repeat(before)} ${key} ${"-".repeat(900)}`);
  const by = { contract, apiUrl: "http://127.0.0.1/api/v1", validators: responseValidators, secrets: [] };
  const run = { workflowId: workflow.workflowId, status: "error", startTime: 0, endTime: 1 } as const;
  const { outcome } = await judgeWorkflow(workflow, { ...run, executedSteps: [first, step] }, by);
  expect(["failed", "errored"]).toContain(outcome.kind);
  return JSON.stringify(outcome);
}

describe("a key in a quoted text of a workflow", () => {
  const setup = workflow?.steps.findLastIndex(({ operationId }) => operationId.endsWith("changeState")) ?? 0;
  const call = workflow?.steps.findIndex(({ operationId }) => !operationId.endsWith("changeState")) ?? 0;
  it.each<[string, (filler: string) => RespectStep, number]>([
    ["in the response to a setup", (filler) => stepAt(setup, 400, { msg: filler }, "no"), 300],
    ["in the response to a call", (filler) => stepAt(call, 500, { msg: filler }, "no"), 300],
    [
      "in a message of respect",
      (filler) => stepAt(call, 200, { result: "success", msg: "", removed: [], not_removed: [] }, filler),
      500,
    ],
  ])("is not even partly shown %s", async (_, last, max) => {
    for (let before = max - 60; before <= max; before += 3) {
      const shown = await judge(last, before);
      expect(shown).toContain("----");
      expect(shown).not.toContain(key.slice(0, 4));
    }
  });
});
