import { describe, expect, it } from "vitest";
import { expandWorkflows } from "../../../../scripts/generate/workflows/generate-workflows.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
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
      with: {message_id: $steps.sent.outputs.message_id, topic: ghosts}
      expect: {status: 400}
    - id: unchanged
      use: read
      with: {anchor: newest}
    - id: content
      call: editMessage
      with: {message_id: $steps.sent.outputs.message_id, content: Nobody}
      expect: {status: 4XX}
    - id: allowed
      call: editMessage
      with: {message_id: $steps.sent.outputs.message_id, content: A ghost}
`;

describe("expandWorkflows", () => {
  it("reads before and after refused steps", () => {
    const { resources, problems } = expand(refusals);
    expect(problems).toEqual([]);
    const [workflow] = resources.get("test-0") ?? [];
    expect(workflow?.["x-rules"]).toEqual(["messages.edit.no-permission", "errors.changes-nothing"]);
    const steps = workflow?.steps.slice(2) ?? [];
    expect(steps.map(({ stepId }) => stepId)).toEqual([
      ...["before-topic", "topic", "unchanged", "content", "after-content"],
      "allowed",
    ]);
    expect(steps[4]).toMatchObject({
      "x-rules": ["errors.changes-nothing"],
      "x-read-back": { since: "before-topic", compare: "/messages" },
      operationId: "$sourceDescriptions.chat.getMessages",
    });
  });

  it("sends headers, and expects values of a provider state", () => {
    const { resources, problems } = expand(`profile:
  summary: A user edits a field
  as: member
  given: [organization]
  steps:
    - id: settings
      call: getServerSettings
      headers: {User-Agent: Browser}
    - id: edit
      rules: [profile-fields.create.users-edit]
      state: own-profile-value
      params: {profile_field_id: 1, value: Hamlet}
      expect: {/accepted: true}
`);
    expect(problems).toEqual([]);
    const steps = [...resources.values()].flat()[0]?.steps ?? [];
    expect(steps[1]).toMatchObject({ parameters: [{ name: "User-Agent", in: "header", value: "Browser" }] });
    expect(steps[2]).toMatchObject({
      "x-rules": ["profile-fields.create.users-edit"],
      successCriteria: [{ condition: "$statusCode == 200" }, { condition: "$response.body#/accepted == true" }],
    });
  });

  it("accepts any status where one criterion excludes some", () => {
    const expectation = "{status: any, criteria: [$statusCode != 404]}";
    const { resources, problems } = expand(sampleWorkflow.replace("{status: 4XX}", expectation));
    expect(problems).toEqual([]);
    const steps = [...resources.values()].flat()[0]?.steps ?? [];
    expect(steps.map(({ successCriteria }) => successCriteria)).toContainEqual([
      { condition: "$statusCode != 429" },
      { condition: "$statusCode != 404" },
    ]);
  });

  it("expects values to be present, and texts to match", () => {
    const { resources, problems } = expand(
      sampleWorkflow.replace("/removed/0: Denmark", "present: [/removed/0], matches: {/msg: ^$, /removed/0: ^Den}"),
    );
    expect(problems).toEqual([]);
    expect([...resources.values()].flat()[0]?.steps[2]?.successCriteria).toEqual([
      { condition: "$statusCode == 200" },
      { condition: "$response.body#/removed/0 != null" },
      { context: "$response.body#/msg", condition: "^$", type: "regex" },
      { context: "$response.body#/removed/0", condition: "^Den", type: "regex" },
    ]);
  });

  it("extends the default call in steps that name no other", () => {
    const { resources, problems } = expand(`muted:
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
`);
    expect(problems).toEqual([]);
    const steps = [...resources.values()].flat()[0]?.steps ?? [];
    const refusal = "$statusCode >= 400 && $statusCode != 429";
    const calls = steps.filter(({ stepId }) => ["no-channel", "mute", "leave"].includes(stepId));
    expect(calls.map(({ requestBody, successCriteria }) => [requestBody?.payload, successCriteria])).toEqual([
      [{ topic: "castle", op: "add" }, [{ condition: refusal }]],
      [
        { topic: "ghosts", op: "add", stream: "Denmark" },
        [{ condition: "$statusCode == 200" }, { condition: '$response.body#/msg == ""' }],
      ],
      [{ subscriptions: '["Denmark"]' }, [{ condition: "$statusCode == 200" }]],
    ]);
  });

  it("writes a workflow as Arazzo", () => {
    const { resources, problems } = expand(sampleWorkflow);
    expect(problems).toEqual([]);
    const [workflow] = resources.get("test-0") ?? [];
    expect(workflow).toMatchObject({
      workflowId: "leave-twice",
      "x-source": "openapi/behaviour/test-0.yaml:1",
      "x-rules": ["subscriptions.remove.not-removed", "subscriptions.remove.removed"],
    });
    const organization = "$steps.leave-twice-organization.outputs";
    const security = {
      schemeName: "basicAuth",
      values: { username: `${organization}.member_email`, password: `${organization}.member_api_key` },
    };
    const form = "application/x-www-form-urlencoded";
    const succeeds = { condition: "$statusCode == 200" };
    const state = (name: string, params: object) => ({
      operationId: "$sourceDescriptions.states.changeState",
      requestBody: {
        contentType: "application/json",
        payload: { state: name, params, action: "setup", check: "workflow leave-twice" },
      },
      successCriteria: [succeeds],
    });
    const channel = { organization: `${organization}.organization`, name: "Denmark", subscribers: ["member"] };
    const leave = (payload: object) => ({
      operationId: "$sourceDescriptions.chat.unsubscribe",
      "x-security": [security],
      requestBody: { contentType: form, payload },
    });
    const principals = `[{${organization}.member_user_id}]`;
    expect(workflow?.steps).toMatchObject([
      state("organization", { settings: { allow_message_editing: true, topics_required: false } }),
      state("channel", channel),
      {
        ...leave({ subscriptions: '["Denmark"]' }),
        "x-source": "openapi/behaviour/test-0.yaml:9",
        "x-rules": ["subscriptions.remove.removed"],
        successCriteria: [succeeds, { condition: '$response.body#/removed/0 == "Denmark"' }],
      },
      {
        stepId: "read",
        operationId: "$sourceDescriptions.chat.getMessages",
        parameters: [
          { name: "num_before", in: "query", value: 0 },
          { name: "num_after", in: "query", value: 1 },
          { name: "anchor", in: "query", value: "newest" },
        ],
        successCriteria: [{ condition: "$statusCode >= 400 && $statusCode != 429" }],
      },
      {
        ...leave({ subscriptions: '["Denmark"]', principals, colour: "blue" }),
        successCriteria: [
          succeeds,
          { condition: '$response.body#/not_removed/0 == "Denmark"' },
          { context: "$response.body", condition: "$[?(!@.removed[0])]", type: "jsonpath" },
          { condition: "$response.body#/msg != null" },
        ],
      },
    ]);
    expect(workflow?.steps[0]).toHaveProperty("outputs.member_email", "$response.body#/credentials/member/email");
    expect(workflow?.steps[3]).not.toHaveProperty("x-security");
  });

  it("accepts the workflows of the contract", async () => {
    expect(expandWorkflows(await loadContract()).problems).toEqual([]);
  });
});
