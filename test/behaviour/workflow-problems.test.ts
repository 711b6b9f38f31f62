import { describe, expect, it } from "vitest";
import { expand, sampleWorkflow } from "./sample-workflow.js";

describe("expandWorkflows", () => {
  it.each<readonly [from: string, to: string, line: number, says: string]>([
    ["  given:", "  givn:", 5, "leave-twice has an unknown key `givn`: did you mean `given`?"],
    ["[member]}", "[member}", 7, ""],
    ["not-removed]", "not-remved]", 3, "there is no rule"],
    [
      "  as: member\n  given",
      "  relies-on: [errors.no-such-rule]\n  as: member\n  given",
      4,
      "`relies-on`: there is no recommendation `errors.no-such-rule`",
    ],
    [
      "  as: member\n  given",
      "  relies-on: [subscriptions.remove.removed]\n  as: member\n  given",
      4,
      "`relies-on` names `subscriptions.remove.removed`, which every server must keep",
    ],
    [
      "      rules: [subscriptions.remove.removed]",
      "      rules: [conventions.quarry]",
      10,
      "there is no rule `conventions.quarry`: did you mean `conventions.query`?",
    ],
    [
      "      rules: [subscriptions.remove.removed]",
      "      rules: [subscriptions.remove.not-removed]",
      3,
      "a step names `subscriptions.remove.not-removed` too: remove it here",
    ],
    ["state: channel", "state: chanel", 7, "There is no provider state `chanel`"],
    ["unsubscribe", "unsubscrib", 11, "the contract has no operation `unsubscrib`: did you mean `unsubscribe`?"],
    ["use: at-will", "use: at-wil", 6, "components.yaml has no `at-wil`: did you mean `at-will`?"],
    ["as: nobody", "as: nobodi", 16, "there is no caller `nobodi`: did you mean `nobody`?"],
    [
      "with: {subscriptions: [Denmark]}",
      "with: {subscription: [Denmark]}",
      12,
      "`unsubscribe` has no `subscription`: did you mean `subscriptions`?",
    ],
    ["colour: blue", "principals: []", 22, "`unsubscribe` has `principals`: write it in `with`"],
    [
      "$credentials.member.user_id",
      "$chanel.stream_id",
      19,
      "`$chanel.stream_id` names no earlier step: did you mean `channel`?",
    ],
    [
      "$credentials.member.user_id",
      "$channel.streem",
      19,
      "`$channel.streem`: state `channel` returns no `streem`: did you mean `stream`?",
    ],
    ["$credentials.member.user_id", "$leave.id", 19, "`$leave.id`: step `leave` has no output `id`"],
    [
      "$credentials.member.user_id",
      "$credentials.mebmer.user_id",
      19,
      "`$credentials.mebmer.user_id`: there is no caller `mebmer`",
    ],
    [
      "$credentials.member.user_id",
      "$credentials.member.name",
      19,
      "`$credentials.member.name` names no value: use one of",
    ],
    [
      "{present: false}",
      "{presence: false}",
      25,
      "leave-twice.steps.2.expect./removed/0 has an unknown key `presence`",
    ],
    ["{present: false}", "{matches: '('}", 25, "Invalid regular expression"],
    [
      "      unknown: {colour: blue}",
      "      outputs: {at: body}",
      22,
      'leave-twice.steps.2.outputs.at is "body", which does not match',
    ],
    ["id: leave-again", "id: leave", 19, "another step is called `leave`: rename one"],
    ["- {use: at-will", "- {with: {}, use: at-will", 6, "leave-twice.given.0 has an unknown key `with`"],
    [
      "    - id: leave\n",
      "    - id: leave\n      state: channel\n",
      9,
      "a step needs exactly one of `state`, `call`, `use`, `request` and `parallel`",
    ],
    ["  steps:", "  default: {call: unsubscribe}\n  steps:", 8, "no step extends `default`: remove it"],
    [
      "  steps:\n    - id: leave\n",
      "  default: {with: {}}\n  steps:\n    - id: nothing\n    - id: leave\n",
      10,
      "a step needs exactly one of `state`, `call`, `use`, `request` and `parallel`",
    ],
    [
      "  given:\n    - {use: at-will, params: {settings: {topics_required: false}}}\n    - {state: channel, params: {name: Denmark, subscribers: [member]}}\n",
      "",
      4,
      "`member` exists only in a provider state: write `given: [organization]`",
    ],
  ])("replaces %j with %j and reports line %i: %s", (from, to, line, says) => {
    const text = sampleWorkflow.replace(from, to);
    expect(text).not.toBe(sampleWorkflow);
    // Problems of the form of a file name the key instead of the workflow.
    const who = /^(?:leave-twice|$)/.test(says) ? "" : "workflow leave-twice: ";
    // Errors of the YAML parser name a column, too.
    const problems = expand(text).problems.map((problem) => problem.replace(/^(\S+:\d+):\d+: /, "$1: "));
    expect(problems).toContainEqual(expect.stringContaining(`openapi/behaviour/test-0.yaml:${line}: ${who}${says}`));
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
