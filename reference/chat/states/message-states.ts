import { randomBytes } from "node:crypto";
import type { CallerName } from "../../../generated/chat/states.js";
import { secondsNow } from "../clock.js";
import { systemGroup } from "../groups/create-group.js";
import { deleteMessage } from "../messages/delete-message.js";
import { type Destination, findConversation } from "../messages/destination.js";
import { sendMessage } from "../messages/send-message.js";
import { recordUpload } from "../uploads/attachments.js";
import { storedMediaType, uploadsPrefix } from "../uploads/file-metadata.js";
import { requireChannel } from "./channel-states.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** Sender, destination and other properties of the messages of a state. */
interface Sending {
  readonly from?: CallerName;
  readonly channel?: string;
  readonly topic?: string;
  readonly to?: readonly CallerName[];
  readonly age_seconds?: number;
  readonly read_by?: readonly CallerName[];
}

/** Provider states of messages. */
export const messageStates = {
  "wildcard-mentions": () => ({ channel_wildcard: "@**all** please read this" }),
  message: (context, params) => {
    const { content = "Good morning", links = [], ...sending } = params;
    const linked = links.map((name) => linkTo(context, sending.from, name));
    return { message_id: send(context, sending, [content, ...linked].join(" ")) };
  },
  messages: (context, { contents, ...sending }) => {
    const ids = contents.map((content) => send(context, sending, content));
    return { message_ids: ids, first_message_id: ids[0] ?? 0, last_message_id: ids.at(-1) ?? 0 };
  },
  "scheduled-message": (context, { content, in_seconds: inSeconds, ...sending }) => {
    const { services, realm, user } = context;
    const { database, clock } = services;
    const to = destinationOf(context, sending);
    const { insertedId } = database.run(
      database.sql.insertInto("scheduled_message").values({
        realm_id: realm.id,
        sender_id: user(sending.from ?? "member").id,
        channel_id: to.kind === "channel" ? to.channelId : null,
        conversation_id: to.kind === "direct" ? to.conversationId : null,
        topic: to.kind === "channel" ? to.topic : "",
        content,
        due_at: secondsNow(clock, realm) + inSeconds,
      }),
    );
    services.reschedule();
    return { scheduled_message_id: insertedId };
  },
  "message-deleted": async ({ services, realm }, { message_id: id }) => {
    const result = await deleteMessage(services, { id, realmId: realm.id });
    if (result === "unknown") throw new StateError(`There is no message ${id}`);
    return {};
  },
  reaction: (context, { from = "other", ...named }) => {
    const { services, realm, user } = context;
    const { database } = services;
    const sent = database.first(
      database.sql.selectFrom("message").select("id").where("realm_id", "=", realm.id).orderBy("id", "desc").limit(1),
    );
    if (sent === undefined) throw new StateError("There is no message for the reaction; set up state message first");
    const emoji = resolveEmoji(context, named);
    const user_id = user(from).id;
    const row = { message_id: sent.id, user_id, reaction_type: named.reaction_type, ...emoji };
    database.run(database.sql.insertInto("reaction").values(row));
    return { user_id, ...emoji };
  },
} satisfies Partial<StateSetups>;

/** Returns the destination of a message of a state. Throws a `StateError` without channel and recipients. */
export function destinationOf(
  context: StateContext,
  { from = "member", channel, topic = "", to }: Sending,
): Destination {
  if (channel !== undefined) return { kind: "channel", channelId: requireChannel(context, channel).id, topic };
  if (to === undefined || to.length === 0) throw new StateError("A message needs `channel` or `to`");
  const members = [from, ...to].map((caller) => context.user(caller).id);
  return { kind: "direct", conversationId: findConversation(context.services.database, context.realm.id, members) };
}

function send(context: StateContext, sending: Sending, content: string): number {
  const { services, realm, user } = context;
  const { from = "member", age_seconds: age = 0, read_by: readBy = [] } = sending;
  return sendMessage(services, {
    realm,
    senderId: user(from).id,
    to: destinationOf(context, sending),
    content,
    sentAt: secondsNow(services.clock, realm) - age,
    readBy: readBy.map((caller) => user(caller).id),
  });
}

/** A Markdown link to an uploaded file of a caller. */
function linkTo({ services, user }: StateContext, from: CallerName = "member", name: string): string {
  const { database } = services;
  const uploaded = database.sql
    .selectFrom("attachment")
    .select("path_id")
    .where("owner_id", "=", user(from).id)
    .where("name", "=", name)
    .orderBy("id", "desc");
  const attachment = database.first(uploaded);
  if (attachment === undefined)
    throw new StateError(`${from} has not uploaded a file ${name}; set up state attachment first`);
  return `[${name}](${uploadsPrefix}${attachment.path_id})`;
}

/** Provider states of uploads. */
export const uploadStates = {
  attachment: async (context, { from = "member", name = "notes.txt", text = "Notes", linked_in_message: linked }) => {
    const { services, realm, user } = context;
    const ownerId = user(from).id;
    const bytes = Buffer.from(text);
    const storedAs = await services.uploads.store(bytes);
    const file = { storedAs, name, mediaType: storedMediaType("text/plain"), size: bytes.length };
    const { attachmentId, pathId, url } = await recordUpload(services, { realm, ownerId }, file);
    const values = { attachment_id: attachmentId, url, path_id: pathId };
    if (!linked) return values;
    const to = { kind: "channel", channelId: createChannel(context, ownerId), topic: "uploads" } as const;
    const content = `[${name.replace(/[[\]]/g, "")}](${url})`;
    return { ...values, message_id: sendMessage(services, { realm, senderId: ownerId, to, content }) };
  },
} satisfies Partial<StateSetups>;

/** Creates a channel for the message and subscribes its sender. */
function createChannel({ services, realm }: StateContext, subscriberId: number): number {
  const { database } = services;
  const { insertedId } = database.run(
    database.sql.insertInto("channel").values({
      realm_id: realm.id,
      name: `uploads-${randomBytes(4).toString("hex")}`,
      can_remove_subscribers_group: systemGroup(database, realm.id, "nobody"),
    }),
  );
  database.run(database.sql.insertInto("subscription").values({ user_id: subscriberId, channel_id: insertedId }));
  return insertedId;
}

/** An emoji in the parameters of a state. */
interface NamedEmoji {
  readonly reaction_type: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
  readonly emoji_name?: string;
  readonly emoji_code?: string;
}

/** The extra emoji that the states use. */
const extraEmoji = "acorn";

/**
 * Returns the name and code of the emoji of a state (Enumerations, reaction_type). Creates a custom emoji if it does not exist.
 * Throws a `StateError` if a parameter is missing.
 */
export function resolveEmoji({ services, realm }: StateContext, { reaction_type, emoji_name, emoji_code }: NamedEmoji) {
  if (reaction_type === "service_extra_emoji") return { emoji_name: extraEmoji, emoji_code: extraEmoji };
  if (emoji_name === undefined) throw new StateError(`An emoji of type ${reaction_type} needs \`emoji_name\``);
  if (reaction_type === "unicode_emoji") {
    if (emoji_code === undefined) throw new StateError("A Unicode emoji needs `emoji_code`");
    return { emoji_name, emoji_code };
  }
  const { database } = services;
  const { sql } = database;
  const emoji = { realm_id: realm.id, name: emoji_name };
  const known = database.first(
    sql.selectFrom("realm_emoji").select("id").where("realm_id", "=", realm.id).where("name", "=", emoji_name),
  );
  const id = known?.id ?? database.run(sql.insertInto("realm_emoji").values(emoji)).insertedId;
  return { emoji_name, emoji_code: String(id) };
}
