import { describe, expect, it } from "vitest";
import { expand, sampleWorkflow } from "./sample-workflow.js";

describe("expandWorkflows", () => {
  it.each<readonly [what: string, from: string, to: string, says: string]>([
    ["an unknown key", "  given:", "  givn:", "5: leave-twice has an unknown key `givn`: did you mean `given`?"],
    [
      "a text that looks like an expression beside one",
      "'[{$credentials.member.user_id}]'",
      "'[{$credentials.member.user_id}, $statusCode]'",
      "19: workflow leave-twice: `$statusCode` stands beside an expression, so Redocly would evaluate it too",
    ],
    [
      "an unfinished expression",
      "'[{$credentials.member.user_id}]'",
      "'[{$steps.channel.output.name}]'",
      "19: workflow leave-twice: `$steps.channel.output.name` is no expression: write `$steps.<id>.outputs.<name>`",
    ],
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
      "a default that no step extends",
      "  steps:",
      "  default: {call: unsubscribe}\n  steps:",
      "8: workflow leave-twice: no step extends `default`: remove it",
    ],
    [
      "a default without a call",
      "  steps:\n    - id: leave\n",
      "  default: {with: {}}\n  steps:\n    - id: nothing\n    - id: leave\n",
      "10: workflow leave-twice: a step needs exactly one of `state`, `call` and `use`",
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
    const text = sampleWorkflow.replace(from, to);
    expect(text).not.toBe(sampleWorkflow);
    expect(expand(text).problems).toContainEqual(expect.stringContaining(`openapi/behaviour/test-0.yaml:${says}`));
  });

  it("rejects a workflow without rules", () => {
    const text = sampleWorkflow.replace(/^ *rules: .*\n/gm, "");
    const says =
      "openapi/behaviour/test-0.yaml:1: workflow leave-twice: it names no rule: add `rules` to it or to a step";
    expect(expand(text).problems).toContain(says);
  });

  it("rejects two workflows with one id, even in different files", () => {
    expect(expand(sampleWorkflow, sampleWorkflow).problems).toEqual([
      "openapi/behaviour/test-1.yaml:1: openapi/behaviour/test-0.yaml has a workflow leave-twice, too: rename one",
    ]);
  });
});
