import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { readWorkflows } from "../../../../src/contract/chat/workflows.js";
import { brokenRules, judgeWorkflow } from "../../../../src/verify/chat/workflows/judge-workflow.js";
import type { RespectCheck, RespectStep } from "../../../../src/verify/chat/workflows/respect-report.js";
import { stubState } from "../stub-chat.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const by = {
  contract,
  validators: responseValidators,
  apiUrl: "http://chat.example/api/v1",
  statesUrl: "http://chat.example",
  secrets: [],
};

function find(id: string) {
  const found = readWorkflows().find(({ workflowId }) => workflowId === id);
  if (found === undefined) throw new Error(`unknown workflow ${id}`);
  return found;
}

const failed = (name: string, message: string, condition?: string): RespectCheck => ({
  ...{ name, message, passed: false, severity: "error" },
  ...(condition === undefined ? {} : { condition }),
});

/** Builds a step as `respect` reports it. Status 0 means no response; the report then has no URL. */
function step(stepId: string, statusCode: number, body: unknown, checks: readonly RespectCheck[] = []): RespectStep {
  const isSetup = /-(?:channel|missing)$/.test(stepId);
  const url = isSetup ? "http://chat.example/states" : "http://chat.example/api/v1/somewhere";
  return {
    stepId,
    request: {
      ...{ method: isSetup ? "post" : "delete", url: statusCode === 0 ? "" : url },
      headers: { "content-type": isSetup ? "application/json" : "application/x-www-form-urlencoded" },
      body: isSetup ? { state: "channel", params: {}, action: "setup" } : { subscriptions: '["Denmark"]' },
    },
    response: { statusCode, headers: { "content-type": "application/json" }, ...(statusCode === 0 ? {} : { body }) },
    checks,
  };
}

function judge(id: string, steps: readonly RespectStep[]) {
  const status = steps.some(({ checks }) => checks.length > 0) ? ("error" as const) : ("success" as const);
  return judgeWorkflow(find(id), { workflowId: id, status, startTime: 0, endTime: 1, executedSteps: steps }, by);
}

const given = step("subscriptions-remove-twice-channel", 200, stubState({ stream_id: 9 }));
const left = (removed: readonly string[], not_removed: readonly string[]) => ({
  ...{ result: "success", msg: "", removed, not_removed },
});
const refused = step("leave", 429, { result: "error", msg: "Wait", code: "RATE_LIMIT_HIT" }, [
  failed("success criteria check", "Checking simple criteria", "$statusCode == 200"),
]);
const network = (message: string) => [failed("failed network request", message)];

describe("judgeWorkflow", () => {
  it("ignores a 429 after which the step was retried", async () => {
    const steps = [given, refused, refused, step("leave", 200, left(["Denmark"], []))];
    const all = [...steps, step("leave-again", 200, left([], ["Denmark"]))];
    expect(await judge("subscriptions-remove-twice", all)).toEqual({ outcome: { kind: "passed" }, isAnswered: true });
    expect((await judge("subscriptions-remove-twice", steps)).outcome.kind).toBe("errored");
  });

  it("does not count a 429 as a broken rule", async () => {
    const { outcome, isAnswered } = await judge("subscriptions-remove-twice", [given, refused, refused]);
    expect([outcome.kind, isAnswered]).toEqual(["errored", false]);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^step leave: the server keeps answering 429/) });
  });

  it("ignores the schema check of respect, which is stricter than the contract", async () => {
    const body = { result: "error", msg: "No", code: "CHANNEL_DOES_NOT_EXIST", stream: "Denmark" };
    const complaint = failed("schema check", "NOT must NOT be valid");
    const criterion = failed("success criteria check", "Checking simple criteria", "$statusCode == 200");
    const { outcome } = await judge("subscriptions-remove-twice", [
      given,
      step("leave", 404, body, [complaint, failed("status code check", "404 is unknown"), criterion]),
    ]);
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: [expect.stringMatching(/^step leave: expected \$statusCode == 200, got 404 with /)],
    });
  });

  it("shows the call without a response", async () => {
    const { outcome, isAnswered } = await judge("subscriptions-remove-twice", [
      given,
      step("leave", 0, undefined, network("fetch failed")),
    ]);
    expect(isAnswered).toBe(false);
    expect(outcome).toMatchObject({ kind: "errored", reason: "step leave: no answer: fetch failed" });
    const trace = outcome.kind === "errored" ? outcome.trace : [];
    expect(trace.at(-1)?.command).toBe(
      `curl -X DELETE --data-urlencode 'subscriptions=["Denmark"]' http://chat.example/api/v1/users/me/subscriptions`,
    );
    expect(trace.at(-1)).not.toHaveProperty("response");
  });

  it("fills in the path of the call without a response", async () => {
    const { outcome } = await judge("errors-shape", [
      step("errors-shape-missing", 200, stubState({ attachment_id: 77 })),
      step("without-fields", 0, undefined, network("fetch failed")),
    ]);
    const trace = outcome.kind === "errored" ? outcome.trace : [];
    expect(trace.at(-1)?.request).toMatch(/^DELETE http:\/\/chat\.example\/api\/v1\/attachments\/77\n/);
  });

  it("shows the file of the call without a response", async () => {
    const upload = step("upload", 0, undefined, network("fetch failed"));
    const headers = { "content-type": "multipart/form-data", accept: "application/json" };
    const request = { ...upload.request, method: "post", headers, body: {} };
    const { outcome } = await judge("uploads-link-detach-delete", [{ ...upload, request }]);
    const trace = outcome.kind === "errored" ? outcome.trace : [];
    expect(trace.at(-1)?.command).toMatch(
      /^curl -H 'accept: application\/json' -F 'file="Rehearsal on Friday[^"]+";filename="rehearsal\.txt";type=application\/octet-stream' http:\/\/chat\.example\/api\/v1\/user_uploads$/,
    );
  });

  it("does not treat an unknown body as empty", async () => {
    const pointer = "$response.body#/detached_uploads/0/id";
    const unresolved = failed("unexpected error", `Error in resolving runtime expression '${pointer}'.`);
    const criterion = failed("success criteria check", "Checking simple criteria", `${pointer} != null`);
    const problems = async (...checks: readonly RespectCheck[]) => {
      const { outcome } = await judge("uploads-link-detach-delete", [step("detach", 200, undefined, checks)]);
      const last = outcome.kind === "failed" ? outcome.trace.at(-1)?.response : "";
      expect(last).toMatch(/\n\n\(a body that redocly respect did not report\)$/);
      return outcome.kind === "failed" ? outcome.problems : [];
    };
    expect(await problems(unresolved)).toEqual(["step detach: the answer has no /detached_uploads/0/id"]);
    expect(await problems(criterion, unresolved)).toEqual([
      `step detach: expected ${pointer} != null, got something else`,
      "step detach: the answer has no /detached_uploads/0/id",
    ]);
  });

  it.each<[string, string, boolean]>([
    ["gives no template for a setup without a response", "fetch failed", false],
    ["gives a template for a response that is not JSON", `Unexpected token '<', "<p>" is not valid JSON`, true],
  ])("%s", async (_, message, want) => {
    const { outcome, isAnswered } = await judge("subscriptions-remove-twice", [
      step("subscriptions-remove-twice-channel", 0, undefined, network(message)),
    ]);
    expect([outcome.kind, "help" in outcome, isAnswered]).toEqual(["errored", want, want]);
    const trace = outcome.kind === "errored" ? outcome.trace : [];
    expect(trace.at(-1)?.command).toMatch(/http:\/\/chat\.example\/states$/);
  });
});

describe("a step that sets up a provider state", () => {
  const id = "server-settings-build";
  const setup = (stepId: string, statusCode: number, body: object, checks: readonly RespectCheck[] = []) => {
    const made = step(stepId, statusCode, body, checks);
    return {
      ...made,
      request: { ...made.request, url: "http://chat.example/states", body: { state: "build", params: {} } },
    };
  };
  const settings = { result: "success", msg: "", service_version: "1.2", service_merge_base: "1.2" };

  it("breaks its rules if the server returns values other than expected", async () => {
    const condition = "$response.body#/accepted == false";
    const { outcome } = await judge("profile-fields-edited-by-users", [
      setup("profile-fields-edited-by-users-set-fixed", 200, { accepted: true }, [
        failed("success criteria check", "Checking simple criteria", condition),
      ]),
    ]);
    expect(outcome).toMatchObject({
      kind: "failed",
      broken: ["profile-fields.create.users-do-not-edit"],
      problems: [
        expect.stringContaining("expected $response.body#/accepted == false, got $response.body#/accepted = true"),
      ],
    });
  });

  it("does not affect the rules that earlier steps showed if the server lacks the state", async () => {
    const lacking = setup("server-settings-build-build-2", 501, { msg: "no" }, [
      failed("success criteria check", "Checking simple criteria", "$statusCode == 200"),
    ]);
    const { outcome } = await judge(id, [
      setup("server-settings-build-build", 200, stubState({ version: "1.2" })),
      step("version", 200, settings),
      step("merge-base", 200, settings),
      lacking,
    ]);
    expect(outcome).toEqual({
      kind: "passed",
      shown: ["server-settings.get.version", "server-settings.get.merge-base"],
      reason: expect.stringContaining("provider state build could not be set up"),
    });
    const { outcome: nothing } = await judge(id, [{ ...lacking, stepId: "server-settings-build-build" }]);
    expect(nothing.kind).toBe("skipped");
  });
});

describe("brokenRules", () => {
  const operationId = "$sourceDescriptions.chat.editMessage";
  const ruledSteps = [
    { stepId: "send", operationId },
    { stepId: "edit", operationId, "x-rules": ["edit"] },
    { stepId: "look", operationId, "x-rules": ["edit", "history"] },
  ];

  it.each([
    ["send", ["other"]],
    ["edit", ["edit", "other"]],
    ["look", ["edit", "history", "other"]],
  ])("attributes to step %s the rules that it names and those that no step names", (failed, want) => {
    expect(brokenRules({ rules: ["edit", "history", "other"], steps: ruledSteps }, failed)).toEqual(want);
  });

  it("attributes every rule to the failed step if no step names a rule", () => {
    const plain = ruledSteps.map(({ stepId }) => ({ stepId, operationId }));
    expect(brokenRules({ rules: ["edit", "history"], steps: plain }, "look")).toEqual(["edit", "history"]);
  });
});
