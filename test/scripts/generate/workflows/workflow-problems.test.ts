import { describe, expect, it } from "vitest";
import { expand, sampleWorkflow } from "./sample-workflow.js";

describe("expandWorkflows", () => {
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
      "a reference to an unknown step",
      "$credentials.member.user_id",
      "$chanel.stream_id",
      "19: workflow leave-twice: `$chanel.stream_id` names no earlier step: did you mean `channel`?",
    ],
    [
      "a reference to an unknown value",
      "$credentials.member.user_id",
      "$channel.streem",
      "19: workflow leave-twice: `$channel.streem`: state `channel` returns no `streem`: did you mean `stream`?",
    ],
    [
      "a reference to an unknown output",
      "$credentials.member.user_id",
      "$leave.id",
      "19: workflow leave-twice: `$leave.id`: step `leave` has no output `id`",
    ],
    [
      "a caller of an unknown reference",
      "$credentials.member.user_id",
      "$credentials.mebmer.user_id",
      "19: workflow leave-twice: `$credentials.mebmer.user_id`: there is no caller `mebmer`",
    ],
    [
      "a field of a caller that no setup returns",
      "$credentials.member.user_id",
      "$credentials.member.name",
      "19: workflow leave-twice: `$credentials.member.name` names no value: use one of user_id, email, api_key",
    ],
    [
      "an unknown operator of a matcher",
      "{present: false}",
      "{presence: false}",
      "25: leave-twice.steps.2.expect./removed/0 has an unknown key `presence`: did you mean `present`?",
    ],
    [
      "a malformed regular expression",
      "{present: false}",
      "{matches: '('}",
      "25: workflow leave-twice: Invalid regular expression",
    ],
    [
      "an output that is no place in a response",
      "      unknown: {colour: blue}",
      "      outputs: {at: body}",
      '22: leave-twice.steps.2.outputs.at is "body", which does not match',
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
      "9: workflow leave-twice: a step needs exactly one of `state`, `call`, `use`, `request` and `parallel`",
    ],
    [
      "a default that no step extends",
      "  steps:",
      "  default: {call: unsubscribe}\n  steps:",
      "8: workflow leave-twice: no step extends `default`: remove it",
    ],
    [
      "a state as the default",
      "  steps:",
      "  default: {state: channel}\n  steps:",
      "8: leave-twice.default has an unknown key `state`",
    ],
    [
      "a default without a call",
      "  steps:\n    - id: leave\n",
      "  default: {with: {}}\n  steps:\n    - id: nothing\n    - id: leave\n",
      "10: workflow leave-twice: a step needs exactly one of `state`, `call`, `use`, `request` and `parallel`",
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
