import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import type { Behaviour, OperationId } from "../../../scripts/faults/chat/behaviour.js";
import { always, changesError, changesParameters, changesResponse } from "../../../scripts/faults/chat/changes.js";
import { faults } from "../../../scripts/faults/chat/faults.js";
import { authorizationOf } from "../../../scripts/faults/chat/known-organizations.js";
import { failure, withContentType } from "../../../scripts/faults/chat/messages.js";
import { outcomeIn } from "../../../scripts/faults/chat/outcome.js";
import { verifyBehaviour } from "../../../scripts/faults/chat/verify-behaviour.js";
import { headerOf, type WireRequest, withHeader } from "../../../scripts/faults/chat/wire.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

/** Returns failures for some requests. */
function fails(on: OperationId, condition: (request: WireRequest) => boolean): Behaviour {
  return always([on], (request, forward) =>
    condition(request) ? { ...failure(500, "", ""), body: Buffer.from("Oops") } : forward(request),
  );
}

const login = /no-credentials|unknown-user|no-base64|no-key|other-scheme|wrong-key/;
const anyLogin = new RegExp(`${login.source}|deactivated-user`);

/** The probes that find a fault of `scripts/faults/chat`. */
const shared: readonly (readonly [name: string, finders: RegExp])[] = [
  ["required-parameter-defaulted", /topic-missing|body-broken/],
  ["word-read-as-zero", /num_(?:before|after)-wrong-(?:word|fraction)/],
  ["word-read-as-false", /include_anchor-wrong-word/],
  ["unlisted-word-accepted", /op-wrong-(?:word|case)/],
  ["text-accepted-for-json", /narrow-wrong-no-json/],
  ["unauthorized-with-other-code", login],
  ["forbidden-instead-of-unauthorized", login],
  ["operation-without-authentication", anyLogin],
  ["wrong-key-accepted", /wrong-key/],
  ["deactivated-user-accepted", /deactivated-user/],
  ["moderators-may-remove-default", /by-moderator/],
  ["status-in-another-organization", /user_id-of-another-organization/],
  ["messages-of-another-organization", /message_ids-of-another-organization/],
  ["unknown-parameters-not-reported", /unknown-parameters-reported/],
  ["supported-parameters-reported", /unknown-parameters-reported/],
  ["unknown-parameters-refused", /unknown-parameters/],
  ["charset-refused", /body-charset/],
];

/** Further faults, which `scripts/faults/chat` lacks. */
const own: readonly (readonly [summary: string, finders: RegExp, behaviour: Behaviour])[] = [
  [
    "takes one item for an array of one",
    /subscriptions-wrong-json-text/,
    changesParameters(["unsubscribe"], (parameters) => {
      if (parameters.get("subscriptions") === '"no-such-value"') parameters.set("subscriptions", "[]");
    }),
  ],
  [
    "answers errors in another envelope",
    /message_id-.*|scheduled_delivery_timestamp-.*|note-odd-.*|body-.*/,
    changesError(["createReminder"], ({ msg }, { status }) => (status === 400 ? { error: msg } : undefined)),
  ],
  [
    "answers errors as text",
    /op-missing|op-wrong-(?:word|case)|.*-odd-.*|body-.*|message_id-.*/,
    changesResponse(["setEditTypingStatus"], (answer) =>
      answer.status === 400 ? withContentType(answer, "text/html") : answer,
    ),
  ],
  [
    "leaves the message out of an error",
    anyLogin,
    changesError(["deleteAttachment"], ({ msg, ...body }, { status }) => (status === 401 ? body : undefined)),
  ],
  ["fails over a NUL", /note-odd-nul/, fails("createReminder", ({ body }) => String(body).includes("%00"))],
  [
    "refuses a NUL in the envelope, with a status from 500",
    /note-odd-nul/,
    always(["createReminder"], (request, forward) =>
      String(request.body).includes("%00") ? failure(500, "INTERNAL_SERVER_ERROR", "Oops") : forward(request),
    ),
  ],
  [
    "fails over large numbers",
    /user_id-odd-(?:huge|beyond-int64)/,
    fails("getUserStatus", ({ target }) => /\d{19}/.test(target)),
  ],
  [
    "fails over deep JSON",
    /(?:subscriptions|principals)-odd-deep/,
    fails("unsubscribe", ({ body }) => String(body).includes("%5B".repeat(1_000))),
  ],
  [
    "fails over malformed credentials",
    /no-base64/,
    fails("getServerSettings", (request) => headerOf(request, "Authorization") === "Basic %%%"),
  ],
  [
    "lets administrators do what owners may",
    /(?:owner-role-added|owner-role-removed|new-email)-by-administrator/,
    always(["updateUserByEmail"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const owner = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "owner");
      const isLoggedIn = caller !== undefined && headerOf(request, "Authorization") === authorizationOf(caller);
      const isPromoted = isLoggedIn && caller.caller === "administrator" && owner !== undefined;
      return forward(isPromoted ? withHeader(request, "Authorization", authorizationOf(owner)) : request);
    }),
  ],
  [
    "says whose an attachment is",
    /attachment_id-of-another-organization/,
    changesError(["deleteAttachment"], (body) => {
      if (body.msg === "Invalid attachment") body.msg = "That is zqforeignqz";
    }),
  ],
  [
    "answers with a status of its own",
    /unknown-parameters(?:-reported)?/,
    changesResponse(["muteUser"], (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer)),
  ],
];

function behaviourOf(name: string): Behaviour {
  const found = faults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault ${name}`);
  return found.behaviour;
}

const probes = [...(await chatAtLevel(newestLevel)).probes].map(({ id }) => id);

/** The probes of an operation, except random ones, which send many requests to make a counterexample smaller. */
function probesOf(operation: string): string[] {
  const own = probes.filter((id) => id.startsWith(`probe ${operation}/`));
  return own.filter((id) => !id.includes("/random-"));
}

describe("a server with a fault", () => {
  it.each([...shared.map(([name, finders]) => [name, finders, behaviourOf(name)] as const), ...own])(
    "fails exactly the expected probes of an operation: %s",
    async (_, finders, behaviour) => {
      const only = [behaviour.on].flat().flatMap(probesOf);
      const checks = await verifyBehaviour(behaviour, reference, { only });
      expect(checks.length).toBeGreaterThan(5);
      const { failed, deviated, errored } = outcomeIn(checks);
      expect(errored).toEqual([]);
      const found = [...failed, ...deviated];
      expect(found).not.toEqual([]);
      const matching = expect.stringMatching(new RegExp(`^probe \\w+/(?:${finders.source})$`));
      expect(found).toEqual(found.map(() => matching));
    },
  );
});
