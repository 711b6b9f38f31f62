import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import { changesSuccess, changesValues } from "../../../../scripts/faults/chat/changes.js";
import { startFaultProxy } from "../../../../scripts/faults/chat/create-fault-proxy.js";
import { levelsOfChange } from "../../../../scripts/generate/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import {
  type ContractDocument,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../../../src/contract/chat/document.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { listOperations } from "../../../../src/contract/chat/operations.js";
import { verifyChat } from "../../../../src/verify/chat/verify-chat.js";
import { withoutNewRequirements } from "../../../../src/verify/chat/without-new-requirements.js";
import { chatOperation, listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

/** Returns the outcome of a workflow by the contract of the newest level. */
async function outcomeOf(workflow: string, behaviour: Behaviour) {
  const { url, statesUrl, close } = await startFaultProxy(reference.url, behaviour);
  onTestFinished(close);
  const only = [`workflow ${workflow}`];
  const { checks } = await verifyChat({ url: `${url}/api/v1`, statesUrl, only, level: newestLevel });
  return checks.map(({ outcome }) => outcome);
}

describe("a value that a server may omit", () => {
  it("skips the workflow that needs it in a later step", async () => {
    const withoutLevel = changesSuccess(["getServerSettings"], (body) => {
      delete body.service_feature_level;
    });
    const reason = "step read-level: the answer has no /service_feature_level";
    expect(await outcomeOf("server-settings-level", withoutLevel)).toEqual([{ kind: "skipped", reason }]);
    expect(await outcomeOf("server-settings-realm-uri", withoutLevel)).toMatchObject([{ kind: "passed" }]);
  });

  it("skips the workflow that needs it from an optional provider state", async () => {
    const withoutPushes = changesValues("notifications", (values) => {
      values.pushes = [];
    });
    expect(await outcomeOf("muting-users-notifications", withoutPushes)).toMatchObject([
      { kind: "skipped", reason: expect.stringMatching(/the answer has no \/pushes\/0$/) },
    ]);
  });

  it("still makes the workflow errored if the provider state must return it", async () => {
    const withoutId = changesValues("channel", (values) => {
      delete values.stream_id;
    });
    expect(await outcomeOf("moving-later-to-channel", withoutId)).toMatchObject([
      { kind: "errored", reason: expect.stringMatching(/the answer has no \/stream_id$/) },
    ]);
  });
});

describe("the outputs of workflow steps", () => {
  it("are values that the contract of every level requires, that the step expects, or that `shown` lists", async () => {
    const found: string[] = [];
    const newest = await loadContract();
    for (const level of levelsOfChange(newest)) {
      const contract = withoutNewRequirements(atFeatureLevel(newest, level), level);
      for (const { workflowId, steps } of listWorkflows(newest, contract)) {
        for (const { stepId, operationId, outputs = {}, "x-shown": shown = [], successCriteria } of steps) {
          const operation = chatOperation(operationId);
          if (operation === undefined) continue;
          const pointers = Object.values(outputs).flatMap((text) => /^\$response\.body#(.+)$/.exec(text)?.[1] ?? []);
          const absent = pointers.filter(
            (one) =>
              !shown.includes(one) &&
              !JSON.stringify(successCriteria).includes(`"$response.body#${one} != null"`) &&
              mayBeAbsent(contract, operation, one),
          );
          found.push(...absent.map((one) => `${workflowId} at level ${level}: ${stepId} reads ${one}`));
        }
      }
    }
    expect(found).toEqual([]);
  });
});

/** Whether a success may lack a field on the way to a pointer. */
function mayBeAbsent(contract: ContractDocument, operationId: string, pointer: string): boolean {
  const found = listOperations(contract).find(({ operation }) => operation.operationId === operationId);
  const response = resolve<ResponseObject>(contract, found?.operation.responses[200] ?? { description: "" });
  let schema = resolve<Schema>(contract, response.content?.["application/json"]?.schema ?? {});
  for (const name of pointer.slice(1).split("/")) {
    const isIndex = /^\d+$/.test(name);
    if (!isIndex && !schema.required?.includes(name)) return true;
    schema = resolve<Schema>(contract, (isIndex ? schema.items : schema.properties?.[name]) ?? {});
  }
  return false;
}
