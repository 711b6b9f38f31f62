import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesParameters,
  failure,
  jsonOf,
  listOf,
  parametersOf,
  success,
  withJson,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { fetchMessages } from "../requests.js";
import { headerOf } from "../wire.js";

/** Keeps some of several conditions of a narrow. */
function narrowed(parameters: URLSearchParams, keep: (terms: readonly unknown[]) => readonly unknown[]): void {
  const terms = parseJson(parameters.get("narrow") ?? "");
  if (Array.isArray(terms) && terms.length > 1) parameters.set("narrow", JSON.stringify(keep(terms)));
}

function isAboutPublicChannels(term: unknown): boolean {
  return typeof term === "object" && term !== null && Reflect.get(term, "operator") === "channels";
}

/** Values, parameters and calls that are right by themselves, and wrong together. */
export const combinationFaults: readonly Fault[] = ofFamily("combinations", [
  [
    "ids-with-first-condition-only",
    "reads only the first condition of `narrow` together with `message_ids`",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.has("message_ids")) narrowed(parameters, (terms) => terms.slice(0, 1));
    }),
    ["messages.get.narrow-all-conditions"],
    ["workflow reading-narrow-conditions"],
  ],
  [
    "public-channels-without-conditions",
    "ignores all other conditions of a narrow if one selects all public channels",
    changesParameters(["getMessages"], (parameters) =>
      narrowed(parameters, (terms) => {
        const publicOnly = terms.filter(isAboutPublicChannels);
        return publicOnly.length > 0 ? publicOnly : terms;
      }),
    ),
    ["messages.get.narrow-all-conditions"],
    ["workflow reading-narrow-conditions"],
  ],
  [
    "gravatars-linked-by-id",
    "treats `client_gravatar` as false by default if `message_ids` is given",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.has("message_ids") && !parameters.has("client_gravatar"))
        parameters.set("client_gravatar", "false");
    }),
    ["messages.get.client-gravatar-default"],
    ["workflow reading-defaults-by-id"],
  ],
  [
    "content-with-own-channel",
    "accepts `content` together with the `stream_id` of the channel of the message",
    always(["editMessage"], async (request, forward) => {
      const { message_id: id = "" } = request.path;
      const operand = Number(parametersOf(request).get("stream_id"));
      const narrow = JSON.stringify([{ operator: "channel", operand }]);
      const isThere = (await fetchMessages(request, forward, { message_ids: `[${id}]`, narrow })).length > 0;
      return forward(isThere ? withParameters(request, (parameters) => parameters.delete("stream_id")) : request);
    }),
    ["messages.edit.content-with-stream"],
    ["workflow editing-content-with-channel"],
  ],
  [
    "wildcard-allowed-with-topic",
    "does not restrict channel wildcard mentions in an edit that also changes the topic",
    always(["editMessage"], async (request, forward) => {
      const answer = await forward(request);
      const isRestricted = jsonOf(answer)?.code === "STREAM_WILDCARD_MENTION_NOT_ALLOWED";
      return isRestricted && parametersOf(request).has("topic") ? success({ detached_uploads: [] }) : answer;
    }),
    ["messages.edit.channel-wildcard-not-allowed"],
    ["workflow editing-wildcard-with-topic"],
  ],
  [
    "only-first-profile-value",
    "reads only the first entry of `profile_data`",
    changesParameters(["updateUserByEmail"], (parameters) => {
      const entries = parseJson(parameters.get("profile_data") ?? "");
      if (Array.isArray(entries) && entries.length > 1) parameters.set("profile_data", JSON.stringify([entries[0]]));
    }),
    ["users.update-by-email.profile-data-refused"],
    ["workflow users-update-values"],
  ],
  [
    "change-later-to-channel-moves-all",
    "moves the whole topic with `change_later` to another channel",
    changesParameters(["editMessage"], (parameters) => {
      const isLater = parameters.has("stream_id") && parameters.get("propagate_mode") === "change_later";
      if (isLater) parameters.set("propagate_mode", "change_all");
    }),
    ["messages.edit.change-later-not-earlier"],
    ["workflow moving-later-to-channel"],
  ],
  [
    "address-lost-with-name",
    "ignores `new_email` together with `full_name`",
    changesParameters(["updateUserByEmail"], (parameters) => {
      if (parameters.has("full_name")) parameters.delete("new_email");
    }),
    ["users.update-by-email.new-email"],
    ["workflow users-new-email-names-user"],
  ],
  [
    "nothing-before-first-unread",
    "ignores `num_before` with the anchor `first_unread`",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.get("anchor") === "first_unread") parameters.set("num_before", "0");
    }),
    ["messages.get.anchor-first-unread"],
    ["workflow reading-first-unread"],
  ],
  [
    "role-lost-with-name",
    "ignores `role` together with `full_name`",
    changesParameters(["updateUserByEmail"], (parameters) => {
      if (parameters.has("full_name")) parameters.delete("role");
    }),
    ["users.update-by-email.role"],
    ["workflow users-role-gives-rights"],
  ],
  [
    "first-unread-always-included",
    "ignores `include_anchor` with the anchor `first_unread`",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.get("anchor") === "first_unread") parameters.delete("include_anchor");
    }),
    ["messages.get.include-anchor-false", "messages.get.anchor-first-unread"],
    ["case getMessages/first_unread_without_the_anchor_message"],
  ],
  [
    "words-in-any-case-accepted",
    "accepts listed words in any letter case",
    changesParameters(["setEditTypingStatus"], (parameters) => {
      const op = parameters.get("op");
      if (op !== null) parameters.set("op", op.toLowerCase());
    }),
    ["setEditTypingStatus"],
    ["probe setEditTypingStatus/op"],
  ],
  [
    "sessions-only-for-reading",
    "accepts a session only for requests that change nothing",
    always("all", async (request, forward) => {
      const isSession = headerOf(request, "Cookie") !== undefined && headerOf(request, "Authorization") === undefined;
      const isReading = ["GET", "HEAD", "OPTIONS"].includes(request.method) || request.target.includes("/tus");
      return isSession && !isReading ? failure(401, "UNAUTHORIZED", "Not logged in") : forward(request);
    }),
    ["authentication.session-cookie"],
    ["workflow authentication-session"],
  ],
  [
    "ios-token-removed-as-android",
    "removes tokens of Apple devices as Android tokens",
    {
      on: ["addIosDeviceToken", "removeAndroidToken"],
      start: () => {
        const added = new Set<string>();
        return async (request, forward) => {
          const token = parametersOf(request).get("token") ?? "";
          if (request.method === "DELETE" && added.delete(token)) return success();
          const answer = await forward(request);
          if (request.method === "POST" && answer.status === 200) added.add(token);
          return answer;
        };
      },
    },
    ["push.remove-android-token.ios-token"],
    ["workflow push-android-tokens-of-one-user"],
  ],
  [
    "all-android-tokens-removed",
    "removes all Android tokens of a user when one is removed",
    {
      on: ["removeAndroidToken"],
      start: (known) => {
        const removed = new Set<string>();
        return async (request, forward) => {
          const caller = known.callerOf(request);
          const key = `${caller?.organization} ${caller?.caller}`;
          if (removed.has(key)) return failure(400, "BAD_REQUEST", "Token does not exist");
          const answer = await forward(request);
          if (answer.status === 200) removed.add(key);
          return answer;
        };
      },
    },
    ["push.remove-android-token.removed"],
    ["workflow push-android-tokens-of-one-user"],
  ],
  [
    "detached-by-an-earlier-edit",
    "lists the uploads that an earlier edit of the message has detached",
    {
      on: ["editMessage"],
      start: () => {
        const detached = new Map<string, unknown>();
        return async (request, forward) => {
          const answer = await forward(request);
          const body = jsonOf(answer);
          if (answer.status !== 200 || body === undefined) return answer;
          const earlier = listOf(detached.get(request.target));
          if (listOf(body.detached_uploads).length > 0) detached.set(request.target, body.detached_uploads);
          return earlier.length === 0 ? answer : withJson(answer, { ...body, detached_uploads: earlier });
        };
      },
    },
    ["messages.edit.detached-uploads-none"],
    ["workflow editing-last-reference"],
  ],
]);
