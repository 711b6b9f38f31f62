import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { KnownOrganizations } from "../known-organizations.js";
import { jsonOf, listIn, listOf, withJson } from "../messages.js";
import { readMessage } from "../read-message.js";
import type { WireRequest } from "../wire.js";

const link = /<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs;

/** Fields of messages and errors that are right in simple cases. */
export const fieldDetailFaults: readonly ChatFault[] = ofFamily("details of fields", [
  fault("time-of-first-move", "returns the time of the first move of a message in `last_moved_timestamp`")
    .breaks("messages.get.move-times")
    .checkedBy("workflow edit-history-time-of-last-move")
    .changes(
      "getMessages",
      "messages[].last_moved_timestamp",
      (time, { edit_history: history }) =>
        listOf(history).findLast((entry) => "topic" in entry || "stream" in entry)?.timestamp ?? time,
    ),
  fault("content-in-history-of-moves", "also returns the earlier content in the edit history of moves")
    .breaks("messages.get.edit-history-content", "messages.get.edit-history-topic")
    .checkedBy("workflow edit-history-of-topic")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        entry.prev_content ??= message.content;
        entry.prev_rendered_content ??= message.content;
      }
    }),
  fault("channels-in-history-swapped", "returns the old channel as the new one in the edit history")
    .breaks("messages.get.edit-history-channel")
    .checkedBy("workflow edit-history-of-channel")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        if ("stream" in entry) [entry.stream, entry.prev_stream] = [entry.prev_stream, entry.stream];
      }
    }),
  fault(
    "empty-topic-unnamed-in-history",
    "returns the empty topic as an empty text in the edit history, whatever `allow_empty_topic_name` says",
  )
    .breaks("messages.get.empty-topic-display-name")
    .checkedBy("workflow edit-history-empty-topic")
    .changesMessages((message, { request, known }) => {
      const name = emptyTopicName(request, known);
      for (const entry of listOf(message.edit_history)) {
        if (entry.topic === name) entry.topic = "";
        if (entry.prev_topic === name) entry.prev_topic = "";
      }
    }),
  fault("raw-content-escaped", "escapes the raw Markdown as if it were HTML")
    .breaks("messages.get.raw-markdown")
    .checkedBy("workflow reading-content")
    .changesMessages((message) => {
      if (message.content_type !== "text/x-markdown") return;
      message.content = String(message.content)
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;");
    }),
  fault("me-message-as-sent", "keeps `is_me_message` as it was before the content was edited")
    .breaks("messages.get.is-me-message")
    .by(
      remembers(
        ["editMessage", "getMessages"],
        () => new Map<unknown, unknown>(),
        async (request, forward, asSent) => {
          const before = request.operationId === "editMessage" ? await readMessage(request, forward) : undefined;
          const response = await forward(request);
          if (response.status !== 200) return response;
          if (before !== undefined && !asSent.has(before.id)) asSent.set(before.id, before.is_me_message);
          const body = jsonOf(response);
          for (const message of listOf(body?.messages))
            message.is_me_message = asSent.get(message.id) ?? message.is_me_message;
          return body === undefined ? response : withJson(response, body);
        },
      ),
    ),
  fault("one-reaction-per-emoji", "lists only the first reaction with each emoji")
    .breaks("messages.get.reactions")
    .checkedBy("workflow reading-reactions")
    .changesMessages((message) => {
      const reactions = listOf(message.reactions);
      message.reactions = reactions.filter(
        ({ emoji_code: code }, index) => reactions.findIndex((other) => other.emoji_code === code) === index,
      );
    }),
  fault("deactivated-group-mentioned", "renders mentions of deactivated groups like those of active ones")
    .breaks("user-groups.deactivate.mention-syntax")
    .changesMessages((message, { request, known }) => {
      for (const { state, params, values } of known.setupsOf(request)) {
        if (state !== "user-group") continue;
        const mention = `<span class="user-group-mention" data-user-group-id="${values.user_group_id}">@${params.name}</span>`;
        message.content = String(message.content).replaceAll(`@<em>${params.name}</em>`, mention);
      }
    }),
  fault("only-first-match-linked", "links only the first match of a linkifier in a message")
    .breaks("linkifiers.update.where-applied")
    .changesMessages((message, { request, known }) => {
      if (!hasLinkifier(request, known)) return;
      let count = 0;
      message.content = String(message.content).replace(link, (all, _href, _attributes, text) =>
        count++ === 0 ? all : text,
      );
    }),
  fault(
    "linkifier-values-not-encoded",
    "does not percent-encode the values that it inserts into the URL of a linkifier",
  )
    .breaks("linkifiers.update.rfc-6570")
    .checkedBy("workflow linkifiers-simple-expansion")
    .changesMessages((message, { request, known }) => {
      if (!hasLinkifier(request, known)) return;
      message.content = String(message.content).replace(link, (all, href: string) => {
        const decoded = decodeOrKeep(href);
        return /[<>"]/.test(decoded) ? all : all.replace(href, decoded);
      });
    }),
  fault("first-channel-named-as-unknown", "names the first channel of the request as the one that does not exist")
    .breaks("subscriptions.remove.unknown-channel-name")
    .checkedBy("case unsubscribe/unknown_channel_among_others")
    .changes("unsubscribe", "stream", (_, _body, { parameters }) => listIn(parameters, "subscriptions")[0]),
]);

function emptyTopicName(request: WireRequest, known: KnownOrganizations): unknown {
  const made = known.setupsOf(request).find(({ values }) => "empty_topic_display_name" in values);
  return made?.values.empty_topic_display_name ?? "general chat";
}

function hasLinkifier(request: WireRequest, known: KnownOrganizations): boolean {
  return known.setupsOf(request).some(({ state }) => state === "linkifier");
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURI(text.replaceAll("%2F", "/").replaceAll("%20", " "));
  } catch {
    return text;
  }
}
