import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "../../../../scripts/faults/chat/behaviour.js";
import { byCheck } from "../../../../scripts/faults/chat/by-check.js";
import { always, changesResponse, changesSuccess } from "../../../../scripts/faults/chat/changes.js";
import { startFaultProxy } from "../../../../scripts/faults/chat/create-fault-proxy.js";
import { withContentType } from "../../../../scripts/faults/chat/messages.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import type { ReadWorkflow } from "../../../../src/contract/chat/workflows.js";
import { listWorkflows } from "../../../../src/verify/chat/workflows/list-workflows.js";
import { type RunWorkflowsOptions, runWorkflows } from "../../../../src/verify/chat/workflows/run-workflows.js";
import type { Check } from "../../../../src/verify/check.js";
import { needing } from "../../../support/needing.js";
import { useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";
import type { Answer } from "../example-server.js";
import { startStubChat, stubState } from "../stub-chat.js";
import { renameWorkflow } from "./rename-workflow.js";

const contract = await loadContract();
const means = { contract, validators: responseValidators };
const all = listWorkflows(contract, contract);
let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

function find(...ids: string[]): ReadWorkflow[] {
  return ids.map((id) => {
    const found = all.find(({ workflowId }) => workflowId === id);
    if (found === undefined) throw new Error(`unknown workflow ${id}`);
    return found;
  });
}

const renamed = (id: string, name: string) => find(id).map((workflow) => renameWorkflow(workflow, name));

async function run(
  workflows: readonly ReadWorkflow[],
  behaviour: Behaviour,
  more: Partial<RunWorkflowsOptions> = {},
): Promise<Check[]> {
  const { url, statesUrl, close } = await startFaultProxy(reference.url, behaviour);
  onTestFinished(close);
  return runWorkflows(workflows, { url, statesUrl, ...means, ...more });
}

const passes = always([], (request, forward) => forward(request));
const hangs = always("all", () => new Promise(() => {}));
const answers = (body: string, type: string) =>
  changesResponse("all", (answer) => withContentType({ ...answer, body: Buffer.from(body) }, type));
const [twice] = find("subscriptions-remove-twice");

describe("runWorkflows", () => {
  it("reports passed workflows, of which one reads the Location of a created resource", async () => {
    const reported: Check[] = [];
    const onCheck = (check: Check) => reported.push(check);
    const ids = ["subscriptions-remove-twice", "uploads-link-detach-delete", "uploads-tus-create"];
    const checks = await run(find(...ids), passes, { onCheck });
    expect(checks).toEqual(reported);
    expect(checks.find(({ operation }) => operation === "channels")).toEqual({
      id: "workflow subscriptions-remove-twice",
      kind: "workflow",
      operation: "channels",
      summary: twice?.summary,
      rules: twice?.rules,
      outcome: { kind: "passed" },
      durationMs: expect.any(Number),
    });
    expect(checks.map(({ outcome }) => outcome.kind)).toEqual(["passed", "passed", "passed"]);
  });

  it("names the step, the expected and the actual value, with all calls before it and no key", async () => {
    const wrong = changesSuccess(["unsubscribe"], (body) => {
      body.not_removed = [];
    });
    const [check] = await run(find("subscriptions-remove-twice"), wrong);
    expect(check?.outcome).toMatchObject({
      kind: "failed",
      problems: [
        expect.stringMatching(
          /^step \S+: expected \$response\.body#\/not_removed\/0 == "Denmark", got \$response\.body#\/not_removed\/0 = nothing$/,
        ),
      ],
    });
    const trace = check?.outcome.kind === "failed" ? check.outcome.trace : [];
    expect(trace.length).toBeGreaterThan(2);
    expect(trace.at(-1)).toEqual({
      command: expect.stringMatching(
        /^curl -X DELETE .*-u '\S+:\*\*\*' .*--data-urlencode 'subscriptions=\["Denmark"\]' \S+\/api\/v1\/users\/me\/subscriptions$/,
      ),
      request: expect.stringContaining("authorization: Basic ***"),
      response: expect.stringMatching(/^200 OK\n.*"not_removed":\[\]/s),
    });
    expect(trace[0]?.response).toContain('"api_key":"***"');
    expect(JSON.stringify(check)).not.toMatch(/"api_key\\*":\\*"[^*]/);
  });

  it("reports wrong answers as faults of the server", async () => {
    const wrong: readonly (readonly [name: string, behaviour: Behaviour, want: RegExp])[] = [
      ["wrong-type", changesSuccess("all", (body) => ({ ...body, msg: 1 })), /^step leave\S*: \/msg: must be string/],
      [
        "not-json",
        answers("{oops", "application/json"),
        /^step leave\S*: the Content-Type says JSON, but the body is not JSON: /,
      ],
      [
        "other-type",
        answers("<p>", "text/html"),
        /^step leave\S*: .*content type: expected application\/json, got "text\/html"/s,
      ],
      [
        "failure",
        changesResponse("all", (answer) => ({ ...answer, status: 500 })),
        /^step leave\S*: expected \$statusCode == 200, got 500 with /,
      ],
    ];
    const copies = wrong.flatMap(([name]) => renamed("subscriptions-remove-twice", name));
    const behaviours = wrong.map(([name, behaviour]) => ({ checks: [`workflow ${name}`], behaviour }));
    const checks = await run(copies, byCheck(behaviours));
    for (const [name, , want] of wrong) {
      const outcome = checks.find(({ id }) => id === `workflow ${name}`)?.outcome;
      expect(outcome?.kind, name).toBe("failed");
      expect(outcome?.kind === "failed" ? outcome.problems.join("\n") : "", name).toMatch(want);
    }
  });

  it("says what a state handler must return after a wrong answer", async () => {
    const wrong: readonly (readonly [name: string, answer: Answer, want: RegExp])[] = [
      ["unknown-state", { status: 400, body: {} }, /^step \S+: provider state channel could not be set up: status 400/],
      [
        "failing-handler",
        { status: 500, body: { message: "No space" } },
        /could not be set up: status 500, \{"message":"No space"\}$/,
      ],
      [
        "missing-value",
        { body: { ...stubState({ stream_id: 9 }), organization: undefined } },
        /could not be set up: the answer has no \/organization$/,
      ],
    ];
    const server = await startStubChat(
      () => ({ body: {} }),
      ({ check }) => wrong.find(([name]) => check === `workflow ${name}`)?.[1] ?? { status: 404, body: {} },
    );
    const copies = wrong.flatMap(([name]) => renamed("subscriptions-remove-twice", name));
    const checks = await runWorkflows(copies, { ...server, ...means });
    for (const [name, , want] of wrong) {
      expect(checks.find(({ id }) => id === `workflow ${name}`)?.outcome, name).toMatchObject({
        kind: "errored",
        reason: expect.stringMatching(want),
        help: expect.stringMatching(/^Provider state channel: .*"stream_id": <integer>/s),
      });
    }
  });

  it("distinguishes a server that does not answer from a wrong one, within the timeout", async () => {
    // This workflow has no setup, so the limit applies to the hanging call alone.
    const [check] = await run(find("server-settings-realm-uri"), hangs, { timeoutMs: 500 });
    expect(check?.outcome).toMatchObject({
      kind: "errored",
      reason: expect.stringMatching(/^step read: no answer: .*timeout/),
    });
  });

  it("skips workflows that need provider states if there are none", async () => {
    const checks = await runWorkflows(all, { url: reference.url, ...means });
    const reasons = new Map(
      checks.map(({ id, outcome }) => [id, outcome.kind === "skipped" ? outcome.reason : outcome.kind]),
    );
    expect(reasons).toEqual(
      new Map(
        all.map(({ workflowId, states }) => [
          `workflow ${workflowId}`,
          states.length === 0 ? "passed" : "it needs provider states: give --states",
        ]),
      ),
    );
  });

  needing("ps").it("stops immediately when aborted, and leaves nothing behind", async () => {
    const folder = useOwnTemporaryFolder();
    const abort = new AbortController();
    let processes: readonly string[] = [];
    const aborts = always("all", () => {
      processes = folder.processes();
      abort.abort();
      return new Promise(() => {});
    });
    expect(await run(find("subscriptions-remove-twice"), aborts, { signal: abort.signal })).toEqual([]);
    expect(processes).not.toEqual([]);
    expect([folder.files(), folder.processes()]).toEqual([[], []]);
  });
});
