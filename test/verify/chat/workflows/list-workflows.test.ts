import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import type { ContractDocument } from "../../../../src/contract/chat/document.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { readWorkflows } from "../../../../src/contract/chat/workflows.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";

const contract = await loadContract();
const names = (view: ContractDocument) => listWorkflows(contract, view).map(({ workflowId }) => workflowId);

describe("listWorkflows", () => {
  it.each(
    [
      ["topics-mute-once", [newestLevel, 169], [168, 1]],
      ["moving-to-empty-topic", [333, 1], [334, newestLevel]],
      ["moving-topic-without-notifications", [152, 8], [151, 9]],
    ].map(([workflowId, absent, present]) => ({ workflowId, absent, present })) as {
      workflowId: string;
      absent: number[];
      present: number[];
    }[],
  )("lists $workflowId at exactly the levels at which its rules hold", ({ workflowId, absent, present }) => {
    for (const level of present)
      expect([level, names(atFeatureLevel(contract, level))]).toEqual([level, expect.arrayContaining([workflowId])]);
    for (const level of absent) expect(names(atFeatureLevel(contract, level))).not.toContain(workflowId);
  });

  it("omits workflows that send a missing field or call a missing operation", () => {
    const view = structuredClone(contract);
    delete view.components.schemas.EditMessageRequest?.properties?.propagate_mode;
    delete view.paths["/reminders"];
    const sending = readWorkflows().filter(({ steps }) =>
      steps.some(
        ({ operationId, requestBody }) =>
          operationId.endsWith(".createReminder") || requestBody?.payload?.propagate_mode !== undefined,
      ),
    );
    expect(sending.length).toBeGreaterThan(5);
    const [all, left] = [names(contract), new Set(names(view))];
    expect(all.filter((name) => !left.has(name))).toEqual(
      expect.arrayContaining(sending.map(({ workflowId }) => workflowId).filter((name) => all.includes(name))),
    );
  });

  it("encodes text as JSON if the level does", () => {
    const payloads = (level: number) =>
      listWorkflows(contract, atFeatureLevel(contract, level))
        .find(({ workflowId }) => workflowId === "users-role-gives-rights")
        ?.steps.flatMap(({ requestBody }) => requestBody?.payload?.full_name ?? []);
    const now = payloads(newestLevel);
    expect(now?.length).toBeGreaterThan(0);
    expect(payloads(1)).toEqual(now?.map((name) => JSON.stringify(name)));
  });
});
