import { parseJson } from "../../../../src/parse-json.js";
import { changesError, changesMessages, type Json, jsonOf, listOf, parametersOf, withJson } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import type { KnownOrganizations } from "../known-organizations.js";
import { readMessage } from "../read-message.js";
import type { WireRequest } from "../wire.js";

const link = /<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs;

/** Fields of messages and errors that are right in simple cases. */
export const fieldDetailFaults: readonly Fault[] = ofFamily("details of fields", [
  [
    "time-of-first-move",
    "returns the time of the first move of a message in `last_moved_timestamp`",
    changesMessages((message) => {
      const first = listOf(message.edit_history).findLast((entry) => "topic" in entry || "stream" in entry);
      if (message.last_moved_timestamp !== undefined && first) message.last_moved_timestamp = first.timestamp;
    }),
    ["messages.get.move-times"],
    ["workflow edit-history-time-of-last-move"],
  ],
  [
    "content-in-history-of-moves",
    "also returns the earlier content in the edit history of moves",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        entry.prev_content ??= message.content;
        entry.prev_rendered_content ??= message.content;
      }
    }),
    ["messages.get.edit-history-content", "messages.get.edit-history-topic"],
    ["workflow edit-history-of-topic"],
  ],
  [
    "channels-in-history-swapped",
    "returns the old channel as the new one in the edit history",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        if ("stream" in entry) [entry.stream, entry.prev_stream] = [entry.prev_stream, entry.stream];
      }
    }),
    ["messages.get.edit-history-channel"],
    ["workflow edit-history-of-channel"],
  ],
  [
    "empty-topic-unnamed-in-history",
    "returns the empty topic as an empty text in the edit history, whatever `allow_empty_topic_name` says",
    changesMessages((message, { request, known }) => {
      const name = emptyTopicName(request, known);
      for (const entry of listOf(message.edit_history)) {
        if (entry.topic === name) entry.topic = "";
        if (entry.prev_topic === name) entry.prev_topic = "";
      }
    }),
    ["messages.get.empty-topic-display-name"],
    ["workflow edit-history-empty-topic"],
  ],
  [
    "raw-content-escaped",
    "escapes the raw Markdown as if it were HTML",
    changesMessages((message) => {
      if (message.content_type !== "text/x-markdown") return;
      message.content = String(message.content)
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;");
    }),
    ["messages.get.raw-markdown"],
    ["workflow reading-content"],
  ],
  [
    "me-message-as-sent",
    "keeps `is_me_message` as it was before the content was edited",
    {
      on: ["editMessage", "getMessages"],
      start: () => {
        const asSent = new Map<unknown, unknown>();
        return async (request, forward) => {
          const before = request.operationId === "editMessage" ? await readMessage(request, forward) : undefined;
          const answer = await forward(request);
          if (answer.status !== 200) return answer;
          if (before !== undefined && !asSent.has(before.id)) asSent.set(before.id, before.is_me_message);
          const body = jsonOf(answer);
          if (!Array.isArray(body?.messages)) return answer;
          const messages = listOf(body.messages).map((message) =>
            asSent.has(message.id) ? { ...message, is_me_message: asSent.get(message.id) } : message,
          );
          return withJson(answer, { ...body, messages });
        };
      },
    },
    ["messages.get.is-me-message"],
    ["workflow reading-me-message"],
  ],
  [
    "one-reaction-per-emoji",
    "lists only the first reaction with each emoji",
    changesMessages((message) => {
      const reactions = listOf(message.reactions);
      message.reactions = reactions.filter(
        ({ emoji_code: code }, index) => reactions.findIndex((other) => other.emoji_code === code) === index,
      );
    }),
    ["messages.get.reactions"],
    ["workflow reading-reactions"],
  ],
  [
    "deactivated-group-mentioned",
    "renders mentions of deactivated groups like those of active ones",
    changesMessages((message, { request, known }) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      for (const { state, params, values } of known.valuesOf(organization)) {
        if (state !== "user-group") continue;
        const mention = `<span class="user-group-mention" data-user-group-id="${values.user_group_id}">@${params.name}</span>`;
        message.content = String(message.content).replaceAll(`@<em>${params.name}</em>`, mention);
      }
    }),
    ["user-groups.deactivate.mention-syntax"],
    ["workflow reading-mentions-of-groups"],
  ],
  [
    "only-first-match-linked",
    "links only the first match of a linkifier in a message",
    changesMessages((message, { request, known }) => {
      if (!hasLinkifier(request, known)) return;
      let count = 0;
      message.content = String(message.content).replace(link, (all, _href, _attributes, text) =>
        count++ === 0 ? all : text,
      );
    }),
    ["linkifiers.update.where-applied"],
    ["workflow linkifiers-matches"],
  ],
  [
    "linkifier-values-not-encoded",
    "does not percent-encode the values that it inserts into the URL of a linkifier",
    changesMessages((message, { request, known }) => {
      if (!hasLinkifier(request, known)) return;
      message.content = String(message.content).replace(link, (all, href: string) => {
        const decoded = decodeOrKeep(href);
        return /[<>"]/.test(decoded) ? all : all.replace(href, decoded);
      });
    }),
    ["linkifiers.update.rfc-6570"],
    ["workflow linkifiers-simple-expansion"],
  ],
  [
    "first-channel-named-as-unknown",
    "names the first channel of the request as the one that does not exist",
    changesError(["unsubscribe"], (body: Json, { request }) => {
      const names = parseJson(parametersOf(request).get("subscriptions") ?? "");
      if (body.code === "STREAM_DOES_NOT_EXIST" && Array.isArray(names)) body.stream = names[0];
    }),
    ["subscriptions.remove.unknown-channel-name"],
    ["case unsubscribe/unknown_channel_among_others"],
  ],
]);

function emptyTopicName(request: WireRequest, known: KnownOrganizations): unknown {
  const { organization = "" } = known.callerOf(request) ?? {};
  const made = known.valuesOf(organization).find(({ values }) => "empty_topic_display_name" in values);
  return made?.values.empty_topic_display_name ?? "general chat";
}

function hasLinkifier(request: WireRequest, known: KnownOrganizations): boolean {
  const { organization = "" } = known.callerOf(request) ?? {};
  return known.valuesOf(organization).some(({ state }) => state === "linkifier");
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURI(text.replaceAll("%2F", "/").replaceAll("%20", " "));
  } catch {
    return text;
  }
}
