import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { expandWorkflows } from "../../../scripts/generate/workflows/generate-workflows.js";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { packageFile } from "../../../src/contract/package-file.js";

const contract = await loadContract();

const components = `at-will:
  description: Members edit whenever they like.
  state: organization
  params: {settings: {allow_message_editing: true}}
read:
  description: Reads a message.
  call: getMessages
  with: {num_before: 0, num_after: 0}
`;

const right = `leave-twice:
  summary: A channel that was left is reported as not removed the second time
  rules: [subscriptions.remove.not-removed]
  as: member
  given:
    - {use: at-will, params: {settings: {topics_required: false}}}
    - {state: channel, params: {name: Denmark, subscribers: [member]}}
  steps:
    - id: leave
      rules: [subscriptions.remove.removed]
      call: unsubscribe
      with: {subscriptions: [Denmark]}
      expect: {/removed/0: Denmark}
    - id: read
      use: read
      as: nobody
      with: {anchor: newest, num_after: 1}
      expect: {status: 4XX}
    - id: leave-again
      call: unsubscribe
      with: {subscriptions: [Denmark], principals: '[{$credentials.member.user_id}]'}
      unknown: {colour: blue}
      expect:
        /not_removed: [Denmark]
        absent: [/removed/0]
        criteria: [$response.body#/msg != null]
`;

/** Expands the workflows of one file. */
function expand(text: string, ...further: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "accord-workflows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const behaviour = join(folder, "behaviour");
  mkdirSync(behaviour);
  copyFileSync(packageFile("openapi/states.yaml"), join(folder, "states.yaml"));
  writeFileSync(join(behaviour, "components.yaml"), components);
  for (const [index, one] of [text, ...further].entries()) writeFileSync(join(behaviour, `test-${index}.yaml`), one);
  return expandWorkflows(contract, behaviour);
}

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

  it("writes a workflow as Arazzo", () => {
    const { resources, problems } = expand(right);
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
    expect(workflow?.steps).toEqual([
      {
        stepId: "leave-twice-organization",
        "x-source": "openapi/behaviour/test-0.yaml:6",
        operationId: "$sourceDescriptions.states.changeState",
        requestBody: {
          contentType: "application/json",
          payload: {
            state: "organization",
            params: { settings: { allow_message_editing: true, topics_required: false } },
            action: "setup",
            check: "workflow leave-twice",
          },
        },
        successCriteria: [{ condition: "$statusCode == 200" }],
        outputs: {
          organization: "$response.body#/organization",
          member_email: "$response.body#/credentials/member/email",
          member_api_key: "$response.body#/credentials/member/api_key",
          member_user_id: "$response.body#/credentials/member/user_id",
        },
      },
      {
        stepId: "leave-twice-channel",
        "x-source": "openapi/behaviour/test-0.yaml:7",
        operationId: "$sourceDescriptions.states.changeState",
        requestBody: {
          contentType: "application/json",
          payload: {
            state: "channel",
            params: { organization: `${organization}.organization`, name: "Denmark", subscribers: ["member"] },
            action: "setup",
            check: "workflow leave-twice",
          },
        },
        successCriteria: [{ condition: "$statusCode == 200" }],
      },
      {
        stepId: "leave",
        "x-source": "openapi/behaviour/test-0.yaml:9",
        "x-rules": ["subscriptions.remove.removed"],
        operationId: "$sourceDescriptions.chat.unsubscribe",
        "x-security": [security],
        requestBody: { contentType: form, payload: { subscriptions: '["Denmark"]' } },
        successCriteria: [{ condition: "$statusCode == 200" }, { condition: '$response.body#/removed/0 == "Denmark"' }],
      },
      {
        stepId: "read",
        "x-source": "openapi/behaviour/test-0.yaml:14",
        operationId: "$sourceDescriptions.chat.getMessages",
        parameters: [
          { name: "num_before", in: "query", value: 0 },
          { name: "num_after", in: "query", value: 1 },
          { name: "anchor", in: "query", value: "newest" },
        ],
        successCriteria: [{ condition: "$statusCode >= 400 && $statusCode < 500 && $statusCode != 429" }],
      },
      {
        stepId: "leave-again",
        "x-source": "openapi/behaviour/test-0.yaml:19",
        operationId: "$sourceDescriptions.chat.unsubscribe",
        "x-security": [security],
        requestBody: {
          contentType: form,
          payload: {
            subscriptions: '["Denmark"]',
            principals: `[{${organization}.member_user_id}]`,
            colour: "blue",
          },
        },
        successCriteria: [
          { condition: "$statusCode == 200" },
          { condition: '$response.body#/not_removed/0 == "Denmark"' },
          { context: "$response.body", condition: "$[?(!@.removed[0])]", type: "jsonpath" },
          { condition: "$response.body#/msg != null" },
        ],
      },
    ]);
  });

  it.each<readonly [what: string, from: string, to: string, says: string]>([
    ["an unknown key", "  given:", "  givn:", "5: leave-twice has an unknown key `givn`: did you mean `given`?"],
    [
      "an unknown key of a step",
      "      with: {s",
      "      wiht: {s",
      "12: leave-twice.steps.0 has an unknown key `wiht`",
    ],
    ["a missing key", "  as: member\n  given", "  given", "1: leave-twice needs the key `as`"],
    ["a wrong status", "4XX", "refused", '18: leave-twice.steps.1.expect.status is "refused", which does not match'],
    ["text that is not YAML", "[member]}", "[member}", "7: "],
    ["an unknown rule", "not-removed]", "not-remved]", "3: workflow leave-twice: there is no rule"],
    [
      "an unknown recommendation",
      "  as: member\n  given",
      "  relies-on: [errors.no-such-rule]\n  as: member\n  given",
      "4: workflow leave-twice: `relies-on`: there is no recommendation `errors.no-such-rule`",
    ],
    [
      "a stated rule as a recommendation",
      "  as: member\n  given",
      "  relies-on: [subscriptions.remove.removed]\n  as: member\n  given",
      "4: workflow leave-twice: `relies-on` names `subscriptions.remove.removed`, which every server must keep",
    ],
    [
      "an unknown rule of a step",
      "      rules: [subscriptions.remove.removed]",
      "      rules: [conventions.quarry]",
      "10: workflow leave-twice: there is no rule `conventions.quarry`: did you mean `conventions.query`?",
    ],
    [
      "a rule that is named twice",
      "      rules: [subscriptions.remove.removed]",
      "      rules: [subscriptions.remove.not-removed]",
      "3: workflow leave-twice: a step names `subscriptions.remove.not-removed` too: remove it here",
    ],
    [
      "an unknown state",
      "state: channel",
      "state: chanel",
      "7: workflow leave-twice: There is no provider state `chanel`",
    ],
    ["an unknown parameter of a state", "name: Den", "nam: Den", "7: workflow leave-twice: State `channel`: params"],
    [
      "an unknown operation",
      "unsubscribe",
      "unsubscrib",
      "11: workflow leave-twice: the contract has no operation `unsubscrib`: did you mean `unsubscribe`?",
    ],
    [
      "an unknown component",
      "use: at-will",
      "use: at-wil",
      "6: workflow leave-twice: components.yaml has no `at-wil`: did you mean `at-will`?",
    ],
    [
      "an unknown caller",
      "as: nobody",
      "as: nobodi",
      "16: workflow leave-twice: there is no caller `nobodi`: did you mean `nobody`?",
    ],
    [
      "an unknown field",
      "with: {subscriptions: [Denmark]}",
      "with: {subscription: [Denmark]}",
      "12: workflow leave-twice: `unsubscribe` has no `subscription`: did you mean `subscriptions`?",
    ],
    [
      "a known field among the unknown ones",
      "colour: blue",
      "principals: []",
      "22: workflow leave-twice: `unsubscribe` has `principals`: write it in `with`",
    ],
    [
      "a list for a field that is plain text",
      "anchor: newest",
      "anchor: [1]",
      "17: workflow leave-twice: `anchor` of `getMessages` is not sent as JSON",
    ],
    [
      "a reference to an unknown step",
      "$credentials.member.user_id",
      "$steps.chanel.outputs.stream_id",
      "19: workflow leave-twice: `$steps.chanel.outputs.stream_id` names no earlier step: did you mean `channel`?",
    ],
    [
      "a reference to an unknown value",
      "$credentials.member.user_id",
      "$steps.channel.outputs.streem",
      "19: workflow leave-twice: state `channel` returns no `streem`: did you mean `stream`?",
    ],
    [
      "a reference to an unknown output",
      "$credentials.member.user_id",
      "$steps.leave.outputs.id",
      "19: workflow leave-twice: `$steps.leave.outputs.id`: step `leave` has no output `id`",
    ],
    [
      "a caller of an unknown reference",
      "$credentials.member.user_id",
      "$credentials.mebmer.user_id",
      "19: workflow leave-twice: there is no caller `mebmer`",
    ],
    [
      "an expression that Redocly would not replace",
      "[{$credentials.member.user_id}]",
      '[{"id": {$credentials.member.user_id}}]',
      "19: workflow leave-twice: Redocly sends `{$credentials.member.user_id}` as it is",
    ],
    [
      "two steps with one name",
      "id: leave-again",
      "id: leave",
      "19: workflow leave-twice: another step is called `leave`: rename one",
    ],
    [
      "a key of a call on a state",
      "- {use: at-will",
      "- {with: {}, use: at-will",
      "6: leave-twice.given.0 has an unknown key `with`",
    ],
    [
      "a step that is both a call and a state",
      "    - id: leave\n",
      "    - id: leave\n      state: channel\n",
      "9: workflow leave-twice: a step needs exactly one of `state`, `call` and `use`",
    ],
    [
      "a text that a condition cannot contain",
      "[Denmark]\n        absent",
      "['\"']\n        absent",
      "23: workflow leave-twice: /not_removed/0 has quotation marks",
    ],
    [
      "no organization for the caller",
      "  given:\n    - {use: at-will, params: {settings: {topics_required: false}}}\n    - {state: channel, params: {name: Denmark, subscribers: [member]}}\n",
      "",
      "4: workflow leave-twice: `member` exists only in an organization: write `given: [organization]`",
    ],
  ])("rejects %s and names the line", (_, from, to, says) => {
    const text = right.replace(from, to);
    expect(text).not.toBe(right);
    expect(expand(text).problems).toContainEqual(expect.stringContaining(`openapi/behaviour/test-0.yaml:${says}`));
  });

  it("rejects a workflow without rules", () => {
    const text = right.replace(/^ *rules: .*\n/gm, "");
    const says =
      "openapi/behaviour/test-0.yaml:1: workflow leave-twice: it names no rule: add `rules` to it or to a step";
    expect(expand(text).problems).toContain(says);
  });

  it("rejects two workflows with one id, even in different files", () => {
    expect(expand(right, right).problems).toEqual([
      "openapi/behaviour/test-1.yaml:1: openapi/behaviour/test-0.yaml has a workflow leave-twice, too: rename one",
    ]);
  });

  it("accepts the workflows of the contract", () => {
    expect(expandWorkflows(contract).problems).toEqual([]);
  });
});
