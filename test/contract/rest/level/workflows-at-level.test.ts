import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract, loadWorkflows } from "../../../../src/chat/contract.js";
import { expectedOf } from "../../../../src/contract/calls.js";
import type { CallStep } from "../../../../src/contract/check.js";
import {
  type ContractDocument,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../../../src/contract/rest/document.js";
import { levelsOfChange } from "../../../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../../../src/contract/rest/level/at-feature-level.js";
import { withoutNewRequirements } from "../../../../src/contract/rest/level/without-new-requirements.js";
import { workflowsAtLevel } from "../../../../src/contract/rest/level/workflows-at-level.js";
import { listOperations } from "../../../../src/contract/rest/operations.js";
import { workflowName } from "../../../../src/contract/rest/workflows.js";

const contract = await loadContract();
const workflows = await loadWorkflows();
const names = (view: ContractDocument) => workflowsAtLevel(workflows, contract, view).map(workflowName);

describe("workflowsAtLevel", () => {
  it.each<[name: string, absent: readonly number[], present: readonly number[]]>([
    ["topics-mute-once", [newestLevel, 169], [168, 1]],
    ["moving-to-empty-topic", [333, 1], [334, newestLevel]],
    ["moving-topic-without-notifications", [152, 8], [151, 9]],
  ])("lists %s at exactly the levels at which its rules hold", (name, absent, present) => {
    for (const level of present)
      expect([level, names(atFeatureLevel(contract, level))]).toEqual([level, expect.arrayContaining([name])]);
    for (const level of absent) expect(names(atFeatureLevel(contract, level))).not.toContain(name);
  });

  it("omits workflows that send a missing field or call a missing operation", () => {
    const view = structuredClone(contract);
    delete view.components.schemas.EditMessageRequest?.properties?.propagate_mode;
    delete view.paths["/reminders"];
    const isSent = (step: CallStep) => step.call === "createReminder" || "propagate_mode" in step.with;
    const sending = workflows.filter(({ steps }) => steps.some((step) => step.kind === "call" && isSent(step)));
    expect(sending.length).toBeGreaterThan(5);
    const left = names(view);
    expect(sending.map(workflowName).filter((name) => left.includes(name))).toEqual([]);
  });

  it("has only outputs that the contract of every level requires, that are expected, or that are optional", () => {
    const found: string[] = [];
    for (const level of levelsOfChange(contract)) {
      const view = withoutNewRequirements(atFeatureLevel(contract, level), level);
      for (const workflow of workflowsAtLevel(workflows, contract, view)) {
        for (const step of workflow.steps) {
          if (step.kind !== "call" || step.call === undefined) continue;
          const { id, call, outputs = {} } = step;
          const required = Object.values(outputs).filter((output) => typeof output === "string");
          const absent = required.filter(
            (pointer) =>
              pointer.startsWith("/") &&
              expectedOf(step).body?.[pointer] === undefined &&
              mayBeAbsent(view, call, pointer),
          );
          found.push(...absent.map((one) => `${workflowName(workflow)} at level ${level}: ${id} reads ${one}`));
        }
      }
    }
    expect(found).toEqual([]);
  });
});

/** Whether a success may lack a field on the way to a pointer. */
function mayBeAbsent(view: ContractDocument, operationId: string, pointer: string): boolean {
  const found = listOperations(view).find(({ operation }) => operation.operationId === operationId);
  const response = resolve<ResponseObject>(view, found?.operation.responses[200] ?? { description: "" });
  let schema = resolve<Schema>(view, response.content?.["application/json"]?.schema ?? {});
  for (const name of pointer.slice(1).split("/")) {
    const isIndex = /^\d+$/.test(name);
    if (!isIndex && !schema.required?.includes(name)) return true;
    schema = resolve<Schema>(view, (isIndex ? schema.items : schema.properties?.[name]) ?? {});
  }
  return false;
}
