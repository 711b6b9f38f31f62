import { remembers } from "../changes.js";
import { isAbout, matches } from "../conditions.js";
import { variation } from "../describe.js";
import type { ChatVariation } from "../fault.js";
import { refusesDefaultChannel } from "../faults/recommendations-on-channels.js";
import {
  failure,
  isError,
  jsonOf,
  listIn,
  listOf,
  parametersOf,
  success,
  withJson,
  withParameters,
} from "../messages.js";
import { changes, forgives } from "../operators.js";
import { readMessage } from "../read-message.js";
import { fetchMessages } from "../requests.js";
import { stack } from "../stack.js";
import { headerOf, withHeader } from "../wire.js";

/** Other choices where the requirements state none. */
export const choiceVariations: readonly ChatVariation[] = [
  variation("digest-only-in-lower-case", "accepts a digest only in lower case").refuses(
    "editMessage",
    matches("prev_content_sha256", /[A-F]/),
  ),
  variation("past-reminder-delivered", "immediately delivers a reminder whose time has passed").always(
    "createReminder",
    async (request, forward) => {
      const response = await forward(request);
      const parameter = "scheduled_delivery_timestamp";
      const isPast = isError(response, `${parameter} must not be in the past`);
      return isPast ? forward(withParameters(request, (changed) => changed.delete(parameter))) : response;
    },
  ),
  variation(
    "other-bounds",
    "accepts names, notes, patterns and times that the reference server refuses, and keeps blank content",
  ).by(
    stack([
      forgives("createProfileField", "A profile field with this name", { id: 1 }),
      forgives("createProfileField", "name ", { id: 1 }),
      forgives("createProfileField", "hint ", { id: 1 }),
      forgives("updateLinkifier", "Another linkifier"),
      forgives("updateLinkifier", "The pattern matches the empty string"),
      forgives("updateUserByEmail", "full_name"),
      forgives("createReminder", "note", { reminder_id: 1 }),
      changes("getMessages", "messages[].content", (content) => (content === "(deleted)" ? "" : content)),
      changes("getMessages", "messages[].reactions", (reactions) => listOf(reactions).reverse()),
      changes("getMessages", "anchor", (anchor, { messages }) =>
        Number(anchor) > 2 ** 53 ? (listOf(messages).at(-1)?.id ?? 0) : anchor,
      ),
      changes("getUserStatus", "ignored_parameters_unsupported", (ignored) => (ignored as string[]).toReversed()),
    ]),
  ),
  variation("unchanged-edit-succeeds", "returns success for an edit that changes nothing").forgives(
    "editMessage",
    "Nothing to change",
    { detached_uploads: [] },
  ),
  variation("unchanged-subgroups-succeed", "returns success for a change of subgroups that changes nothing").forgives(
    "updateSubgroups",
    "Nothing to do",
  ),
  variation("repeated-default-channel-refused", "refuses to add a default channel twice").by(
    refusesDefaultChannel((isAdding, isAdded) => isAdding && isAdded),
  ),
  variation("no-status-of-deactivated", "returns BAD_REQUEST for the status of a deactivated user").always(
    "getUserStatus",
    async (request, forward, known) => {
      const response = await forward(request);
      const isDeactivated = isAbout("deactivated")(parametersOf(request), request, known);
      return response.status === 200 && isDeactivated ? failure() : response;
    },
  ),
  variation(
    "conflict-instead-of-bad-request",
    "returns 409 with the code of the contract when something is already done or in use",
  ).changesResponse("all", (response) => {
    const isConflict = response.status === 400 && /already|in use/.test(String(jsonOf(response)?.msg));
    return isConflict ? { ...response, status: 409 } : undefined;
  }),
  variation(
    "own-statuses",
    "returns 422 instead of 400, and 403 instead of 401, where the requirements state no status",
  ).changesResponse("all", (response, request) => {
    // The status for an invalid principal is stated.
    if (response.status === 400 && !parametersOf(request).has("principals")) return { ...response, status: 422 };
    return response.status === 401 ? { ...response, status: 403 } : undefined;
  }),
  variation("push-service-unavailable", "returns 503 if it uses no push service").changesResponse(
    "registerPushDevice",
    (response) => (isError(response, "PUSH_SERVICE_NOT_CONFIGURED") ? { ...response, status: 503 } : undefined),
  ),
  variation("own-code-for-digest", "has a code of its own for a `prev_content_sha256` that differs").changes(
    "editMessage",
    "code",
    (code, { msg }) => (String(msg).startsWith("'prev_content_sha256'") ? "EDIT_CONFLICT" : code),
  ),
  variation("own-code-for-too-many-messages", "has a code of its own for more than 5000 messages").changesError(
    "getMessages",
    (body, { parameters }) => {
      const count = Number(parameters.get("num_before")) + Number(parameters.get("num_after"));
      if (count > 5000 || listIn(parameters, "message_ids").length > 5000) body.code = "TOO_MANY_MESSAGES";
    },
  ),
  variation("typing-on-any-message", "accepts a typing status for every message that the caller can read").always(
    "setEditTypingStatus",
    async (request, forward) => {
      const response = await forward(request);
      const isTyping = /^(start|stop)$/.test(parametersOf(request).get("op") ?? "");
      const isRefused = response.status === 400 && isTyping;
      return isRefused && (await readMessage(request, forward)) !== undefined ? success() : response;
    },
  ),
  variation("html-in-div", "renders content within an element of its own, with `b` and `i` for emphasis").changesJson(
    "getMessages",
    (body) => {
      for (const message of listOf(body.messages)) {
        if (message.content_type !== "text/html") continue;
        const html = String(message.content)
          .replace(/<(\/?)strong>/g, "<$1b>")
          .replace(/<(\/?)em>/g, "<$1i>");
        message.content = `<div class="content">${html}</div>`;
      }
    },
  ),
  variation(
    "newest-is-an-id",
    "returns the id of the newest message as the computed anchor, and counts it as the anchor message",
  ).always("getMessages", async (request, forward) => {
    const parameters = parametersOf(request);
    if (parameters.get("anchor") !== "newest") return forward(request);
    const narrow = parameters.get("narrow") ?? "[]";
    const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1", narrow });
    return forward(withParameters(request, (changed) => newest && changed.set("anchor", String(newest.id))));
  }),
  variation(
    "found-flags-with-ids",
    "reports for messages requested by id whether the newest and the oldest are among them",
  ).always("getMessages", async (request, forward) => {
    const response = await forward(request);
    const body = jsonOf(response);
    const parameters = parametersOf(request);
    if (response.status !== 200 || body === undefined || !parameters.has("message_ids")) return response;
    const narrow = parameters.get("narrow") ?? "[]";
    const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1", narrow });
    const [oldest] = await fetchMessages(request, forward, { anchor: "oldest", num_after: "1", narrow });
    const has = (id: unknown) => listOf(body.messages).some((message) => message.id === id);
    return withJson(response, { ...body, found_newest: has(newest?.id), found_oldest: has(oldest?.id) });
  }),
  variation(
    "rate-limited",
    "returns 429 with `Retry-After` for every 50th request to the service, but not for its retry",
  ).by(
    remembers(
      "all",
      () => ({ count: 0 }),
      (request, forward, state) => {
        if (headerOf(request, "Authorization") === undefined) return forward(request);
        state.count += 1;
        if (state.count % 50 !== 0) return forward(request);
        return withHeader(failure(429, "RATE_LIMIT_HIT", "Slow down"), "Retry-After", "1");
      },
    ),
  ),
  variation("objection-for-each-setting", "returns one objection for each setting that uses a group").changes(
    "deactivateUserGroup",
    "objections",
    (objections) =>
      listOf(objections).flatMap((objection) =>
        Array.isArray(objection.settings) && objection.settings.length > 1
          ? objection.settings.map((setting) => ({ ...objection, settings: [setting] }))
          : [objection],
      ),
  ),
];
