import { randomBytes } from "node:crypto";
import type { CallerName } from "../../../generated/chat/states.js";
import { secondsNow } from "../clock.js";
import { systemGroup } from "../groups/create-group.js";
import { deleteMessage } from "../messages/delete-message.js";
import { type Destination, findOrCreateConversation } from "../messages/destination.js";
import { sendMessage } from "../messages/send-message.js";
import { insertAttachment } from "../uploads/attachments.js";
import { storedMediaType, uploadsPrefix } from "../uploads/file-metadata.js";
import { storeUpload } from "../uploads/upload-store.js";
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
  "wildcard-mentions": async () => ({ channel_wildcard: "@**all** please read this" }),
  message: async (context, params) => {
    const { content = "Good morning", links = [], ...sending } = params;
    const linked: string[] = [];
    for (const name of links) linked.push(await linkTo(context, sending.from, name));
    return { message_id: await send(context, sending, [content, ...linked].join(" ")) };
  },
  messages: async (context, { contents, ...sending }) => {
    const ids: number[] = [];
    for (const content of contents) ids.push(await send(context, sending, content));
    return { message_ids: ids, first_message_id: ids[0] ?? 0, last_message_id: ids.at(-1) ?? 0 };
  },
  "scheduled-message": async (context, { content, in_seconds: inSeconds, ...sending }) => {
    const { services, realm, user } = context;
    const { database, clock } = services;
    const to = await destinationOf(context, sending);
    const { id: insertedId } = await database
      .insertInto("scheduled_message")
      .values({
        realm_id: realm.id,
        sender_id: user(sending.from ?? "member").id,
        channel_id: to.kind === "channel" ? to.channelId : null,
        conversation_id: to.kind === "direct" ? to.conversationId : null,
        topic: to.kind === "channel" ? to.topic : "",
        content,
        due_at: secondsNow(clock, realm) + inSeconds,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    services.afterCommit(services.reschedule);
    return { scheduled_message_id: insertedId };
  },
  "message-deleted": async ({ services, realm }, { message_id: id }) => {
    const result = await deleteMessage(services, { id, realmId: realm.id });
    if (result === "unknown") throw new StateError(`There is no message ${id}`);
    return {};
  },
  reaction: async (context, { from = "other", ...named }) => {
    const { services, realm, user } = context;
    const { database } = services;
    const sent = await database
      .selectFrom("message")
      .select("id")
      .where("realm_id", "=", realm.id)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (sent === undefined) throw new StateError("There is no message for the reaction; set up state message first");
    const emoji = await resolveEmoji(context, named);
    const user_id = user(from).id;
    const row = { realm_id: realm.id, message_id: sent.id, user_id, reaction_type: named.reaction_type, ...emoji };
    await database.insertInto("reaction").values(row).execute();
    return { user_id, ...emoji };
  },
} satisfies Partial<StateSetups>;

/** Returns the destination of a message of a state. Throws a `StateError` if it has neither channel nor recipients. */
export async function destinationOf(
  context: StateContext,
  { from = "member", channel, topic = "", to }: Sending,
): Promise<Destination> {
  if (channel !== undefined) return { kind: "channel", channelId: (await requireChannel(context, channel)).id, topic };
  if (to === undefined || to.length === 0) throw new StateError("A message needs `channel` or `to`");
  const members = [from, ...to].map((caller) => context.user(caller).id);
  const conversationId = await findOrCreateConversation(context.services.database, context.realm.id, members);
  return { kind: "direct", conversationId };
}

async function send(context: StateContext, sending: Sending, content: string): Promise<number> {
  const { services, realm, user } = context;
  const { from = "member", age_seconds: age = 0, read_by: readBy = [] } = sending;
  return sendMessage(services, {
    realm,
    senderId: user(from).id,
    to: await destinationOf(context, sending),
    content,
    sentAt: secondsNow(services.clock, realm) - age,
    readBy: readBy.map((caller) => user(caller).id),
  });
}

/** A Markdown link to an uploaded file of a caller. */
async function linkTo(
  { services, realm, user }: StateContext,
  from: CallerName = "member",
  name: string,
): Promise<string> {
  const { database } = services;
  const uploaded = database
    .selectFrom("attachment")
    .select("path_id")
    .where("realm_id", "=", realm.id)
    .where("owner_id", "=", user(from).id)
    .where("name", "=", name)
    .orderBy("id", "desc");
  const attachment = await uploaded.executeTakeFirst();
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
    const storedAs = await storeUpload(services, realm.id, [bytes]);
    const file = { storedAs, name, mediaType: storedMediaType("text/plain"), size: bytes.length };
    const { attachmentId, pathId, url } = await insertAttachment(services, { realm, ownerId }, file);
    const values = { attachment_id: attachmentId, url, path_id: pathId };
    if (!linked) return values;
    const to = { kind: "channel", channelId: await createChannel(context, ownerId), topic: "uploads" } as const;
    const content = `[${name.replace(/[[\]]/g, "")}](${url})`;
    return { ...values, message_id: await sendMessage(services, { realm, senderId: ownerId, to, content }) };
  },
} satisfies Partial<StateSetups>;

/** Creates a channel for the message and subscribes its sender. */
async function createChannel({ services, realm }: StateContext, subscriberId: number): Promise<number> {
  const { database } = services;
  const { id: insertedId } = await database
    .insertInto("channel")
    .values({
      realm_id: realm.id,
      name: `uploads-${randomBytes(4).toString("hex")}`,
      can_remove_subscribers_group: await systemGroup(database, realm.id, "nobody"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await database
    .insertInto("subscription")
    .values({ realm_id: realm.id, user_id: subscriberId, channel_id: insertedId })
    .execute();
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
export async function resolveEmoji(
  { services, realm }: StateContext,
  { reaction_type, emoji_name, emoji_code }: NamedEmoji,
) {
  if (reaction_type === "service_extra_emoji") return { emoji_name: extraEmoji, emoji_code: extraEmoji };
  if (emoji_name === undefined) throw new StateError(`An emoji of type ${reaction_type} needs \`emoji_name\``);
  if (reaction_type === "unicode_emoji") {
    if (emoji_code === undefined) throw new StateError("A Unicode emoji needs `emoji_code`");
    return { emoji_name, emoji_code };
  }
  const { database } = services;
  const emoji = { realm_id: realm.id, name: emoji_name };
  const known = await database
    .selectFrom("realm_emoji")
    .select("id")
    .where("realm_id", "=", realm.id)
    .where("name", "=", emoji_name)
    .executeTakeFirst();
  const id =
    known?.id ?? (await database.insertInto("realm_emoji").values(emoji).returning("id").executeTakeFirstOrThrow()).id;
  return { emoji_name, emoji_code: String(id) };
}
