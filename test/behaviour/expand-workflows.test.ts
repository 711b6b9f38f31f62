import { describe, expect, it } from "vitest";
import { expandWorkflows } from "../../src/behaviour/expand-workflows.js";
import { loadContract } from "../../src/chat/contract.js";
import { expand, sampleWorkflow } from "./sample-workflow.js";

const refusals = `edit-refused:
  summary: Two edits are refused
  rules: [messages.edit.no-permission]
  as: member
  given:
    - {state: channel, params: {name: Denmark, subscribers: [member]}}
    - {id: sent, state: message, params: {channel: Denmark, content: Who is there}}
  steps:
    - id: topic
      call: editMessage
      with: {message_id: $sent.message_id, topic: ghosts}
      expect: {status: 400}
    - id: unchanged
      use: read
      with: {anchor: newest}
    - id: content
      call: editMessage
      with: {message_id: $sent.message_id, content: Nobody}
      expect: {status: 4XX}
    - id: allowed
      call: editMessage
      with: {message_id: $sent.message_id, content: A ghost}
`;

/** The first workflow of a source without problems. */
function workflowOf(source: string) {
  const { workflows, problems } = expand(source);
  expect(problems).toEqual([]);
  return workflows[0];
}

describe("expandWorkflows", () => {
  it("reads before and after refused steps", () => {
    const workflow = workflowOf(refusals);
    expect(workflow?.rules).toEqual(["messages.edit.no-permission", "errors.changes-nothing"]);
    const steps = workflow?.steps.slice(2) ?? [];
    const ids = ["before-topic", "topic", "unchanged", "content", "after-content", "allowed"];
    expect(steps.map(({ id }) => id)).toEqual(ids);
    expect(steps[4]).toMatchObject({
      rules: ["errors.changes-nothing"],
      readBack: { since: "before-topic", compare: "/messages" },
      call: "getMessages",
    });
  });

  it("extends the default call in steps that name no other", () => {
    const { steps = [] } = {
      ...workflowOf(`muted:
  summary: A topic is muted
  rules: [topics.mute.added]
  as: member
  given: [{state: channel, params: {name: Denmark, subscribers: [member]}}]
  default: {call: updateMutedTopic, with: {topic: castle, op: add}, expect: {status: 4XX}}
  steps:
    - id: no-channel
    - id: mute
      with: {stream: Denmark, topic: ghosts}
      expect: {/msg: ''}
    - {state: time-passes, params: {seconds: 60}}
    - id: leave
      call: unsubscribe
      with: {subscriptions: [Denmark]}
`),
    };
    const calls = steps.filter(({ id }) => ["no-channel", "mute", "leave"].includes(id));
    expect(calls).toMatchObject([
      { with: { topic: "castle", op: "add" }, expect: [{ status: "4XX" }] },
      { with: { topic: "ghosts", op: "add", stream: "Denmark" }, expect: [{ status: 200, body: { "/msg": "" } }] },
      { call: "unsubscribe", with: { subscriptions: ["Denmark"] }, expect: [{ status: 200 }] },
    ]);
  });

  it("writes a workflow in the form in which it runs", () => {
    expect(workflowOf(sampleWorkflow)).toEqual({
      id: "workflow leave-twice",
      kind: "workflow",
      operation: "test-0",
      summary: "A channel that was left is reported as not removed the second time",
      rules: ["subscriptions.remove.not-removed", "subscriptions.remove.removed"],
      source: "openapi/behaviour/test-0.yaml:1",
      steps: [
        {
          kind: "state",
          id: "organization",
          state: "organization",
          params: { settings: { allow_message_editing: true, topics_required: false } },
          values: [],
        },
        {
          kind: "state",
          id: "channel",
          state: "channel",
          params: { name: "Denmark", subscribers: ["member"] },
          values: [],
        },
        {
          kind: "call",
          id: "leave",
          as: "member",
          call: "unsubscribe",
          with: { subscriptions: ["Denmark"] },
          expect: [{ status: 200, body: { "/removed/0": "Denmark" } }],
          rules: ["subscriptions.remove.removed"],
        },
        {
          kind: "call",
          id: "read",
          as: "nobody",
          call: "getMessages",
          with: { num_before: 0, num_after: 1, anchor: "newest" },
          expect: [{ status: "4XX" }],
        },
        {
          kind: "call",
          id: "leave-again",
          as: "member",
          call: "unsubscribe",
          with: {
            subscriptions: ["Denmark"],
            principals: "[{$credentials.member.user_id}]",
            colour: "blue",
          },
          written: { principals: "text" },
          expect: [{ status: 200, body: { "/not_removed": ["Denmark"], "/removed/0": { present: false } } }],
        },
      ],
    });
  });

  it("accepts the workflows of the contract", async () => {
    expect(expandWorkflows(await loadContract(), "openapi/behaviour").problems).toEqual([]);
  });
});
