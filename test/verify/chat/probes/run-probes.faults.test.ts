import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { atFeatureLevel } from "../../../../src/contract/level/at-feature-level.js";
import { loadContract } from "../../../../src/contract/load-contract.js";
import type { Listening } from "../../../../src/listen.js";
import { runProbes } from "../../../../src/verify/chat/probes/run-probes.js";
import type { Check } from "../../../../src/verify/check.js";
import {
  answerJson,
  type Fault,
  fieldsOf,
  type KnownUser,
  type PassingAnswer,
  type PassingRequest,
  startFaultyServer,
} from "./faulty-server.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const done = answerJson(200, { result: "success", msg: "" });
let behind: ChatReference;
let server: Listening | undefined;
beforeAll(async () => {
  behind = await createChatReference({ states: true });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => behind.close());

/** The checks that failed on a server with a fault. */
async function failuresOf(fault: Fault, operations: readonly string[], runs = 0): Promise<Check[]> {
  server = await startFaultyServer(behind, fault);
  const isSelected = ({ operation }: { readonly operation: string }) => operations.includes(operation);
  const { url } = server;
  const options = { url, statesUrl: url, contract, validators: responseValidators, seed: 1, runs, isSelected };
  const checks = await runProbes(options);
  expect(checks.filter(({ outcome }) => outcome.kind === "errored")).toEqual([]);
  expect(checks.length).toBeGreaterThan(5);
  return checks.filter(({ outcome }) => outcome.kind === "failed");
}

const body = (answer: PassingAnswer): Record<string, unknown> => JSON.parse(answer.text);
const withBody = (answer: PassingAnswer, change: object): PassingAnswer => ({
  ...answer,
  text: JSON.stringify({ ...body(answer), ...change }),
});
const isRefusal = ({ status }: PassingAnswer) => status >= 400;
const sentBy = ({ authorization }: PassingRequest, users: readonly KnownUser[]) =>
  users.find((user) => user.authorization === authorization);
const withCaller = (request: PassingRequest, users: readonly KnownUser[], caller: string): PassingRequest => {
  const organization = sentBy(request, users)?.organization;
  const other = users.find((user) => user.organization === organization && user.caller === caller);
  return other === undefined ? request : { ...request, authorization: other.authorization };
};
const matching = (names: RegExp) => expect.stringMatching(new RegExp(`^probe \\w+/(?:${names.source})$`));

/** A fault, the operation that has it, and the probes that find it: these, and no others. */
const faults: readonly (readonly [name: string, operation: string, finders: RegExp, fault: Fault])[] = [
  [
    "accepts a missing parameter",
    "setEditTypingStatus",
    /op-missing|body-broken/,
    {
      request: (request) =>
        fieldsOf(request).has("op") ? request : { ...request, type: form, body: Buffer.from("op=start") },
    },
  ],
  [
    "takes any word for an integer",
    "addDefaultChannel",
    /stream_id-wrong-word/,
    { request: (request) => (/^stream_id=[a-z-]+$/.test(String(request.body)) && isKnown(request) ? done : request) },
  ],
  [
    "cuts the fraction off an integer",
    "getMessages",
    /num_before-wrong-fraction/,
    { request: (request) => ({ ...request, target: request.target.replace("num_before=1.5", "num_before=1") }) },
  ],
  [
    "takes any word for true",
    "getMessages",
    /(?:include_anchor|apply_markdown)-wrong-word/,
    {
      request: (request) => ({
        ...request,
        target: request.target.replace(/(include_anchor|apply_markdown)=no-such-value/, "$1=true"),
      }),
    },
  ],
  [
    "ignores a value that is not listed",
    "updateMutedTopic",
    /op-wrong-word/,
    {
      request: (request) => ({
        ...request,
        body: Buffer.from(String(request.body).replace("op=no-such-value", "op=add")),
      }),
    },
  ],
  [
    "takes what is no JSON for an empty array",
    "getMessages",
    /narrow-wrong-no-json/,
    {
      request: (request) => ({
        ...request,
        target: request.target.replace(/narrow=%5B%22unfinished/, "narrow=%5B%5D"),
      }),
    },
  ],
  [
    "takes one item for an array of one",
    "unsubscribe",
    /subscriptions-wrong-json-text/,
    {
      request: (request) => ({
        ...request,
        body: Buffer.from(String(request.body).replace(/subscriptions=(%22no-such-value%22)/, "subscriptions=%5B%5D")),
      }),
    },
  ],
  [
    "answers errors in another envelope",
    "createReminder",
    /message_id-.*|scheduled_delivery_timestamp-.*|note-odd-.*|body-.*/,
    {
      answer: (answer) => (answer.status === 400 ? answerJson(400, { error: body(answer).msg }) : answer),
    },
  ],
  [
    "answers errors as text",
    "setEditTypingStatus",
    /op-missing|op-wrong-word|.*-odd-.*|body-.*|message_id-.*/,
    { answer: (answer) => (answer.status === 400 ? { ...answer, type: "text/html" } : answer) },
  ],
  [
    "has another code for a missing login",
    "muteUser",
    /no-credentials|unknown-user|no-base64|no-key|other-scheme|wrong-key/,
    { answer: (answer) => (answer.status === 401 ? withBody(answer, { code: "LOGIN_REQUIRED" }) : answer) },
  ],
  [
    "has another status for a missing login",
    "muteUser",
    /no-credentials|unknown-user|no-base64|no-key|other-scheme|wrong-key/,
    { answer: (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer) },
  ],
  [
    "leaves the message out of an error",
    "deleteAttachment",
    /no-credentials|unknown-user|no-base64|no-key|other-scheme|wrong-key|deactivated-user/,
    { answer: (answer) => (answer.status === 401 ? withBody(answer, { msg: undefined }) : answer) },
  ],
  [
    "fails over a NUL",
    "createReminder",
    /note-odd-nul/,
    { request: (request) => (String(request.body).includes("%00") ? failure : request) },
  ],
  [
    "fails over large numbers",
    "getUserStatus",
    /user_id-odd-(?:huge|beyond-int64)/,
    { request: (request) => (/\d{19}/.test(request.target) ? failure : request) },
  ],
  [
    "fails over deep JSON",
    "unsubscribe",
    /(?:subscriptions|principals)-odd-deep/,
    { request: (request) => (String(request.body).includes("%5B".repeat(1_000)) ? failure : request) },
  ],
  [
    "fails over malformed credentials",
    "getServerSettings",
    /no-base64/,
    { request: (request) => (request.authorization === "Basic %%%" ? failure : request) },
  ],
  [
    "ignores credentials",
    "removeAndroidToken",
    /no-credentials|unknown-user|no-base64|no-key|other-scheme|wrong-key/,
    { request: (request, users) => (sentBy(request, users) === undefined ? done : request) },
  ],
  [
    "looks at the address alone",
    "muteUser",
    /wrong-key/,
    {
      request: (request, users) => {
        const addressOf = (authorization = "") =>
          Buffer.from(authorization.slice(6), "base64").toString().split(":")[0];
        const known = users.find(({ authorization }) => addressOf(authorization) === addressOf(request.authorization));
        return known === undefined ? request : { ...request, authorization: known.authorization };
      },
    },
  ],
  [
    "lets a deactivated user in",
    "muteUser",
    /deactivated-user/,
    {
      request: (request, users) =>
        sentBy(request, users)?.caller === "deactivated" ? withCaller(request, users, "member") : request,
    },
  ],
  [
    "lets moderators do what administrators may",
    "createProfileField",
    /by-moderator/,
    {
      request: (request, users) =>
        sentBy(request, users)?.caller === "moderator" ? withCaller(request, users, "administrator") : request,
    },
  ],
  [
    "lets administrators do what owners may",
    "updateUserByEmail",
    /(?:owner-role-added|owner-role-removed|new-email)-by-administrator/,
    {
      request: (request, users) =>
        sentBy(request, users)?.caller === "administrator" ? withCaller(request, users, "owner") : request,
    },
  ],
  [
    "shows a user of another organization",
    "getUserStatus",
    /user_id-of-another-organization/,
    {
      request: (request, users) => {
        const id = Number(/users\/(\d+)\/status/.exec(request.target)?.[1]);
        const owner = users.find(({ userId }) => userId === id);
        const caller = sentBy(request, users);
        const isForeign = owner !== undefined && caller !== undefined && owner.organization !== caller.organization;
        return isForeign ? { ...request, authorization: owner.authorization } : request;
      },
    },
  ],
  [
    "shows messages of another organization",
    "getMessages",
    /message_ids-of-another-organization/,
    {
      request: (request, users) => {
        const ids = new URL(request.target, "http://h").searchParams.get("message_ids") ?? "";
        const owner = users.find(({ messageIds }) => messageIds.length > 0 && JSON.stringify(messageIds) === ids);
        const caller = sentBy(request, users);
        if (owner === undefined || caller === undefined) return request;
        const other = users.find(
          ({ organization, caller: name }) => organization === owner.organization && name === "member",
        );
        return { ...request, authorization: other?.authorization ?? owner.authorization };
      },
    },
  ],
  [
    "says whose an attachment is",
    "deleteAttachment",
    /attachment_id-of-another-organization/,
    { answer: (answer) => (isRefusal(answer) && body(answer).msg === "Invalid attachment" ? shown : answer) },
  ],
  [
    "answers with a status of its own",
    "muteUser",
    /unknown-parameters/,
    { answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer) },
  ],
  [
    "keeps to itself which parameters it ignored",
    "createReminder",
    /unknown-parameters/,
    { answer: (answer) => withBody(answer, { ignored_parameters_unsupported: undefined }) },
  ],
  [
    "names a parameter that it supports as ignored",
    "createReminder",
    /unknown-parameters/,
    {
      answer: (answer) => {
        const { ignored_parameters_unsupported: names } = body(answer);
        return Array.isArray(names) ? withBody(answer, { ignored_parameters_unsupported: [...names, "note"] }) : answer;
      },
    },
  ],
  [
    "refuses unknown parameters",
    "updateLinkifier",
    /unknown-parameters/,
    { request: (request) => (fieldsOf(request).has("accord_unknown") ? refusal : request) },
  ],
  [
    "knows only the bare media type",
    "unsubscribe",
    /body-charset/,
    { request: (request) => (/charset/.test(request.type ?? "") ? { ...refusal, status: 415 } : request) },
  ],
  [
    "answers successes that do not fit",
    "getMessages",
    /.+/,
    { answer: (answer) => (answer.status === 200 ? withBody(answer, { found_anchor: "yes" }) : answer) },
  ],
];
const form = "application/x-www-form-urlencoded";
const refusal = answerJson(400, { result: "error", msg: "No", code: "BAD_REQUEST" });
const failure = answerJson(500, { result: "error", msg: "Oops", code: "INTERNAL_SERVER_ERROR" });
const shown = answerJson(400, { result: "error", msg: "That is zqforeignqz", code: "BAD_REQUEST" });
const isKnown = ({ authorization = "" }: PassingRequest) => !authorization.includes("stranger") && authorization !== "";

describe("probes find a server that", () => {
  it.each(faults)("%s", async (_, operation, finders, fault) => {
    const failures = await failuresOf(fault, [operation]);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.map(({ id }) => id)).toEqual(failures.map(() => matching(finders)));
  });
});
