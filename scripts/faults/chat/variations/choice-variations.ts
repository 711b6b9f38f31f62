import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesAnswer,
  changesError,
  changesJson,
  changesMessages,
  changesSuccess,
  failure,
  forgives,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  success,
  withJson,
  withParameters,
} from "../changes.js";
import { readMessage } from "../read-message.js";
import { fetchMessages } from "../requests.js";
import { stack } from "../stack.js";
import type { Variation } from "../variation.js";
import { headerOf, withHeader } from "../wire.js";

/** Other choices where the requirements state none. */
export const choiceVariations: readonly Variation[] = [
  {
    name: "digest-only-in-lower-case",
    summary: "accepts a digest only in lower case",
    behaviour: refuses("editMessage", (parameters) => /[A-F]/.test(parameters.get("prev_content_sha256") ?? "")),
  },
  {
    name: "past-reminder-delivered",
    summary: "immediately delivers a reminder whose time has passed",
    behaviour: always(["createReminder"], async (request, forward) => {
      const answer = await forward(request);
      const isPast = String(jsonOf(answer)?.msg).startsWith("scheduled_delivery_timestamp must not be in the past");
      const parameter = "scheduled_delivery_timestamp";
      return isPast ? forward(withParameters(request, (changed) => changed.delete(parameter))) : answer;
    }),
  },
  {
    name: "other-bounds",
    summary: "accepts names, notes, patterns and times that the reference server refuses, and keeps blank content",
    behaviour: stack([
      forgives("createProfileField", "A profile field with this name", () => ({ id: 1 })),
      forgives("createProfileField", "name ", () => ({ id: 1 })),
      forgives("createProfileField", "hint ", () => ({ id: 1 })),
      forgives("updateLinkifier", "Another linkifier"),
      forgives("updateLinkifier", "The pattern matches the empty string"),
      forgives("updateUserByEmail", "full_name"),
      forgives("createReminder", "note", () => ({ reminder_id: 1 })),
      changesMessages((message) => {
        if (message.content === "(deleted)") message.content = "";
        message.reactions = listOf(message.reactions).reverse();
      }),
      changesSuccess(["getMessages"], (body) => {
        if (Number(body.anchor) > 2 ** 53) body.anchor = listOf(body.messages).at(-1)?.id ?? 0;
      }),
      changesSuccess(["getUserStatus"], (body) => {
        const { ignored_parameters_unsupported: ignored } = body;
        if (Array.isArray(ignored)) body.ignored_parameters_unsupported = ignored.toReversed();
      }),
    ]),
  },
  {
    name: "unchanged-edit-succeeds",
    summary: "returns success for an edit that changes nothing",
    behaviour: forgives("editMessage", "Nothing to change", () => ({ detached_uploads: [] })),
  },
  {
    name: "unchanged-subgroups-succeed",
    summary: "returns success for a change of subgroups that changes nothing",
    behaviour: forgives("updateSubgroups", "Nothing to do"),
  },
  {
    name: "repeated-default-channel-refused",
    summary: "refuses to add a default channel twice",
    behaviour: {
      on: ["addDefaultChannel", "removeDefaultChannel"],
      start: () => {
        const defaults = new Set<string>();
        return async (request, forward) => {
          const key = `${parametersOf(request).get("stream_id")}`;
          const isAddition = request.operationId === "addDefaultChannel";
          const answer = await forward(request);
          if (answer.status !== 200) return answer;
          if (isAddition && defaults.has(key)) return failure(400, "BAD_REQUEST", "Already a default channel");
          if (isAddition) defaults.add(key);
          else defaults.delete(key);
          return answer;
        };
      },
    },
  },
  {
    name: "no-status-of-deactivated",
    summary: "returns BAD_REQUEST for the status of a deactivated user",
    behaviour: always(["getUserStatus"], async (request, forward, known) => {
      const users = known.usersOf(known.callerOf(request)?.organization ?? "");
      const deactivated = users.find(({ caller }) => caller === "deactivated");
      const answer = await forward(request);
      return answer.status === 200 && String(deactivated?.userId) === request.path.user_id
        ? failure(400, "BAD_REQUEST", "No such user")
        : answer;
    }),
  },
  {
    name: "conflict-instead-of-bad-request",
    summary: "returns 409 with the code of the contract when something is already done or in use",
    behaviour: always("all", async (request, forward) => {
      const answer = await forward(request);
      const isConflict = answer.status === 400 && /already|in use/.test(String(jsonOf(answer)?.msg));
      return isConflict ? { ...answer, status: 409 } : answer;
    }),
  },
  {
    name: "own-statuses",
    summary: "returns 422 instead of 400, and 403 instead of 401, where the requirements state no status",
    behaviour: always("all", async (request, forward) => {
      const answer = await forward(request);
      // The status for an invalid principal is stated.
      if (answer.status === 400 && !parametersOf(request).has("principals")) return { ...answer, status: 422 };
      return answer.status === 401 ? { ...answer, status: 403 } : answer;
    }),
  },
  {
    name: "push-service-unavailable",
    summary: "returns 503 if it uses no push service",
    behaviour: changesAnswer(["registerPushDevice"], (answer) =>
      jsonOf(answer)?.code === "PUSH_SERVICE_NOT_CONFIGURED" ? { ...answer, status: 503 } : answer,
    ),
  },
  {
    name: "own-code-for-digest",
    summary: "has a code of its own for a `prev_content_sha256` that differs",
    behaviour: changesError(["editMessage"], (body) => {
      if (String(body.msg).startsWith("'prev_content_sha256'")) body.code = "EDIT_CONFLICT";
    }),
  },
  {
    name: "own-code-for-too-many-messages",
    summary: "has a code of its own for more than 5000 messages",
    behaviour: changesError(["getMessages"], (body, { request }) => {
      const parameters = parametersOf(request);
      const count = Number(parameters.get("num_before")) + Number(parameters.get("num_after"));
      const ids = parseJson(parameters.get("message_ids") ?? "");
      if (count > 5000 || (Array.isArray(ids) && ids.length > 5000)) body.code = "TOO_MANY_MESSAGES";
    }),
  },
  {
    name: "typing-on-any-message",
    summary: "accepts a typing status for every message that the caller can read",
    behaviour: always(["setEditTypingStatus"], async (request, forward) => {
      const answer = await forward(request);
      const isTyping = /^(start|stop)$/.test(parametersOf(request).get("op") ?? "");
      if (answer.status !== 400 || !isTyping) return answer;
      return (await readMessage(request, forward)) === undefined ? answer : success();
    }),
  },
  {
    name: "html-in-div",
    summary: "renders content within an element of its own, with `b` and `i` for emphasis",
    behaviour: changesJson(["getMessages"], (body) => {
      for (const message of listOf(body.messages)) {
        if (message.content_type !== "text/html") continue;
        const html = String(message.content)
          .replace(/<(\/?)strong>/g, "<$1b>")
          .replace(/<(\/?)em>/g, "<$1i>");
        message.content = `<div class="content">${html}</div>`;
      }
    }),
  },
  {
    name: "newest-is-an-id",
    summary: "returns the id of the newest message as the computed anchor, and counts it as the anchor message",
    behaviour: always(["getMessages"], async (request, forward) => {
      const parameters = parametersOf(request);
      if (parameters.get("anchor") !== "newest") return forward(request);
      const narrow = parameters.get("narrow") ?? "[]";
      const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1", narrow });
      if (newest === undefined) return forward(request);
      return forward(withParameters(request, (changed) => changed.set("anchor", String(newest.id))));
    }),
  },
  {
    name: "found-flags-with-ids",
    summary: "reports for messages requested by id whether the newest and the oldest are among them",
    behaviour: always(["getMessages"], async (request, forward) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const parameters = parametersOf(request);
      if (answer.status !== 200 || body === undefined || !parameters.has("message_ids")) return answer;
      const narrow = parameters.get("narrow") ?? "[]";
      const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1", narrow });
      const [oldest] = await fetchMessages(request, forward, { anchor: "oldest", num_after: "1", narrow });
      const has = (id: unknown) => listOf(body.messages).some((message) => message.id === id);
      return withJson(answer, { ...body, found_newest: has(newest?.id), found_oldest: has(oldest?.id) });
    }),
  },
  {
    name: "rate-limited",
    summary: "returns 429 with `Retry-After` for every 50th request to the service, but not for its retry",
    behaviour: {
      on: "all",
      start: () => {
        let count = 0;
        return (request, forward) => {
          if (headerOf(request, "Authorization") === undefined) return forward(request);
          count += 1;
          if (count % 50 !== 0) return forward(request);
          return withHeader(failure(429, "RATE_LIMIT_HIT", "Slow down"), "Retry-After", "1");
        };
      },
    },
  },
  {
    name: "objection-for-each-setting",
    summary: "returns one objection for each setting that uses a group",
    behaviour: changesError(["deactivateUserGroup"], (body) => {
      if (!Array.isArray(body.objections)) return;
      body.objections = listOf(body.objections).flatMap((objection) =>
        Array.isArray(objection.settings) && objection.settings.length > 1
          ? objection.settings.map((setting) => ({ ...objection, settings: [setting] }))
          : [objection],
      );
    }),
  },
];
