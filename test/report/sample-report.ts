import { loadContract, loadWorkflows } from "../../src/chat/contract.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../../src/contract/rest/level/cases-at-level.js";
import { listRules } from "../../src/contract/rest/rules.js";
import type { CheckOutcome, CheckResult, ReportedExchange } from "../../src/report/model/check-result.js";
import type { VerifyReport } from "../../src/report/model/verify-report.js";

/** Creates a check that passed, with some members replaced. */
export function sampleCheck(different: Partial<CheckResult> = {}): CheckResult {
  return {
    id: "case editMessage/content",
    kind: "case",
    operation: "editMessage",
    summary: "The content of a message",
    rules: ["messages.edit.content"],
    outcome: { kind: "passed" },
    durationMs: 12,
    ...different,
  };
}

/** A call that had a forbidden effect. */
export const sampleExchange: ReportedExchange = {
  command:
    "curl -X PATCH -u 'member@example.org:***' --data-urlencode 'content=Meet me at the chapel' -d stream_id=5 http://127.0.0.1:4011/api/v1/messages/21",
  request:
    "PATCH /api/v1/messages/21 HTTP/1.1\nAuthorization: Basic ***\nContent-Type: application/x-www-form-urlencoded\n\ncontent=Meet+me+at+the+chapel&stream_id=5",
  response:
    'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"result":"success","msg":"","ignored_parameters_unsupported":[]}',
};

/** Creates a report with a few checks. */
export function smallReport(different: Partial<VerifyReport> = {}): VerifyReport {
  return {
    contract: "chat",
    version: "0.1.0",
    target: "http://127.0.0.1:4011/api/v1",
    level: 379,
    seed: 42,
    rules: [
      { id: "messages.edit.content", text: "The content can be changed.", resource: "messages" },
      {
        id: "messages.edit.content-with-stream",
        text: "A request with both `content` and `stream_id` is an error.",
        source: "Edit a message, rule 1",
        resource: "messages",
      },
      { id: "users.me.email", text: "The answer has the email address.", resource: "users" },
      { id: "users.me.logged", text: "Calls are logged.", resource: "users", untestable: "No call shows the log." },
    ],
    checks: [sampleCheck()],
    knownFailing: new Map(),
    startedAt: "2026-03-01T10:20:30.400Z",
    durationMs: 12_345,
    ...different,
  };
}

/** The outcome of a failed check. */
export const failing = {
  kind: "failed",
  problems: ["expected status 400, got 200", "/result: expected `error`, got `success`"],
  trace: [sampleExchange],
} satisfies CheckOutcome;

const skipped: CheckOutcome = { kind: "skipped", reason: "it needs provider states: give --states" };

/** Outcomes that are not `passed`, by the id of the check. */
const outcomes: Readonly<Record<string, CheckOutcome>> = {
  "case addDefaultChannel/by_owner": {
    ...failing,
    broken: ["authentication.owner-is-administrator", "default-channels.add.added"],
  },
  "case removeDefaultChannel/by_guest": skipped,
  "case removeDefaultChannel/by_bot": skipped,
  "case getMessages/other_channel_without_narrow": {
    kind: "failed",
    problems: ["/messages/0/content_type: expected `text/html`, got `text/x-markdown`"],
    trace: [sampleExchange],
  },
  "case editMessage/longest_topic": {
    kind: "errored",
    reason: "The state handler answered 500 for the state channel",
    help: 'Answer 200 with {"organization": "…", "credentials": {…}, "channel_id": 5}.',
    trace: [{ command: "curl -X POST http://127.0.0.1:4011/states", request: "POST /states HTTP/1.1\n\n{}" }],
  },
  "case editMessage/topic_limit_only_for_topics": {
    kind: "skipped",
    reason: "it needs the file upload, which this server does not offer",
  },
  "case editMessage/channel_move_not_permitted": failing,
  "case deactivateUserGroup/in_channel_setting": {
    kind: "failed",
    problems: ["expected `Content-Type: application/json`, got `text/html`; charset=utf-8"],
    trace: [
      sampleExchange,
      {
        ...sampleExchange,
        response: `HTTP/1.1 502 Bad Gateway\nContent-Type: text/html\n\n<html><h1>Bad gateway</h1>${"<p>line</p>\n".repeat(60)}</html>`,
      },
    ],
  },
};

/** A report on the traffic of a client. */
export const trafficReport: VerifyReport = {
  contract: "chat",
  version: "1.0.0",
  target: "http://127.0.0.1:4011/api/v1",
  level: 415,
  rules: [
    { id: "request.name", text: "Names are right.", resource: "request" },
    { id: "request.type", text: "Types are right.", resource: "request" },
  ],
  checks: [
    {
      id: "client edit",
      kind: "request",
      operation: "edit",
      summary: "1 requests follow the contract.",
      rules: ["request.name"],
      outcome: { kind: "passed" },
      durationMs: 0,
    },
  ],
  knownFailing: new Map([["client other: request.type x", "Not called here."]]),
  existing: new Set(["client edit", "client other: request.type x"]),
  minExercised: 0,
  coverage: {
    exchanges: 1,
    sections: [
      {
        title: "operations",
        items: [
          { name: "edit", count: 1 },
          { name: "other", count: 0 },
        ],
      },
      {
        title: "parameters",
        items: [
          { name: "<topic>", operation: "edit", count: 0 },
          { name: "x", operation: "other", count: 0 },
        ],
      },
    ],
    notJudged: [{ reason: "the path is outside the API", count: 2 }],
    refusals: [{ operation: "edit", count: 2, first: "400 BAD_REQUEST Nothing to <change>" }],
    provoked: [{ name: "rate-limit", count: 3, repeated: 1, wentOn: 1, stopped: 1 }],
  },
  startedAt: "2026-01-02T03:04:05.000Z",
  durationMs: 5,
};

/** A report on a server that has two of four operations, without the provider state of some checks. */
export const unfinishedReport: VerifyReport = smallReport({
  operations: [
    {
      id: "editMessage",
      title: "PATCH /messages/{message_id}",
      presence: "there",
      checks: ["case editMessage/content", "case editMessage/content_with_channel", "workflow messages-edit"],
      rules: ["messages.edit.content", "messages.edit.content-with-stream"],
    },
    {
      id: "getMessages",
      title: "GET /messages",
      presence: "not-implemented",
      why: "status 501",
      checks: ["case getMessages/newest", "workflow messages-edit"],
      rules: [],
    },
    {
      id: "getOwnUser",
      title: "GET /users/me",
      presence: "there",
      checks: ["case getOwnUser/self"],
      rules: ["users.me.email"],
    },
    { id: "uploadFile", title: "POST /user_uploads", presence: "unknown", checks: ["case uploadFile/text"], rules: [] },
  ],
  beyond: { checks: 7, operations: ["uploadFile", "editMessage"] },
  stateHelp: new Map([
    ["channel", 'Provider state channel: A channel exists.\nTo POST /states answer\n{\n  "stream_id": <integer>\n}'],
  ]),
  checks: [
    sampleCheck(),
    sampleCheck({
      id: "case editMessage/content_with_channel",
      rules: ["messages.edit.content-with-stream"],
      outcome: { kind: "skipped", reason: "no channel", need: { kind: "state", state: "channel" } },
    }),
    sampleCheck({
      id: "case getMessages/newest",
      operation: "getMessages",
      rules: [],
      outcome: {
        kind: "skipped",
        reason: "the server does not have getMessages",
        need: { kind: "operation", operations: ["getMessages"] },
      },
    }),
    sampleCheck({ id: "case getOwnUser/self", operation: "getOwnUser", rules: ["users.me.email"] }),
    sampleCheck({
      id: "case uploadFile/text",
      operation: "uploadFile",
      rules: [],
      outcome: { kind: "skipped", reason: "give --states", need: { kind: "states" } },
    }),
    sampleCheck({ id: "operation editMessage", kind: "operation", rules: [] }),
    sampleCheck({
      id: "operation getMessages",
      kind: "operation",
      operation: "getMessages",
      rules: [],
      outcome: { kind: "failed", problems: ["not implemented: status 501"], broken: [], trace: [sampleExchange] },
    }),
    sampleCheck({
      id: "workflow messages-edit",
      kind: "workflow",
      operation: "messages",
      rules: ["messages.edit.content"],
      outcome: {
        kind: "skipped",
        reason: "the server does not have getMessages, uploadFile",
        need: { kind: "operation", operations: ["getMessages", "uploadFile"] },
      },
    }),
  ],
});

/** Cached, because loading the contract is slow. */
let contract: Promise<ContractDocument> | undefined;

/**
 * Creates a report for the chat contract at a level, as large as a real one: every case and workflow, and probes of every operation. A few
 * checks failed, a few did not run, one failure is known, and one known failure passed.
 */
export async function sampleReport({ level = 379, probes = 3 } = {}): Promise<VerifyReport> {
  contract ??= loadContract();
  const document = await contract;
  const cases = casesAtLevel(document, level);
  const rules = listRules(atFeatureLevel(document, level));
  const ofCases = cases.map(({ operationId, name, summary, rule, also }) =>
    sampleCheck({ id: `case ${operationId}/${name}`, operation: operationId, summary, rules: [rule, ...also] }),
  );
  const ofWorkflows = (await loadWorkflows()).map(({ id, kind, operation, summary, rules: ids }) =>
    sampleCheck({ id, kind, operation, summary, rules: ids }),
  );
  const ofProbes = [...new Set(cases.map(({ operationId }) => operationId))].flatMap((operation) =>
    Array.from({ length: probes }, (_, index) =>
      sampleCheck({
        id: `probe ${operation} parameter ${index} of a wrong type`,
        kind: "probe",
        operation,
        summary: `Parameter ${index} is sent as another type`,
        rules: [],
      }),
    ),
  );
  const checks = [...ofCases, ...ofWorkflows, ...ofProbes].map((check, index) => ({
    ...check,
    outcome: outcomes[check.id] ?? check.outcome,
    durationMs: 3 + ((index * 37) % 90),
  }));
  return {
    ...smallReport(),
    level,
    rules: rules.map(({ id, text, source, untestable }) => ({
      id,
      text,
      source,
      resource: id.split(".")[0] ?? id,
      untestable,
    })),
    checks,
    knownFailing: new Map([
      ["case editMessage/channel_move_not_permitted", "Issue 12: topics of moved messages"],
      ["case addDefaultChannel/no_subscribers", "Issue 13: was mended"],
      ["case editMessage/content_with_chanel", "Issue 14"],
    ]),
  };
}
