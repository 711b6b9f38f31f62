import type { CallerName } from "../../../../generated/chat/states.js";
import { secondsNow } from "../../clock.js";
import { type Destination, findConversation } from "../../messages/destination.js";
import { sendMessage } from "../../messages/send-message.js";
import { uploadsPrefix } from "../../uploads/uploads-prefix.js";
import { type StateContext, StateError, type StateSetups } from "../state-setup.js";
import { channelNamed } from "./channel-states.js";
import { emojiOf } from "./emoji-of.js";

/** Where the messages of a state go, and how. */
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
  reaction: (context, { from = "other", ...named }) => {
    const { services, realm, user } = context;
    const { database } = services;
    const sent = database.first(
      database.sql.selectFrom("message").select("id").where("realm_id", "=", realm.id).orderBy("id", "desc").limit(1),
    );
    if (sent === undefined) throw new StateError("There is no message to react to; set up state message first");
    const emoji = emojiOf(context, named);
    const user_id = user(from).id;
    const row = { message_id: sent.id, user_id, reaction_type: named.reaction_type, ...emoji };
    database.run(database.sql.insertInto("reaction").values(row));
    return { user_id, ...emoji };
  },
} satisfies Partial<StateSetups>;

/** Where a message of a state goes. Throws a `StateError` when neither a channel nor recipients are named. */
export function destinationOf(
  context: StateContext,
  { from = "member", channel, topic = "", to }: Sending,
): Destination {
  if (channel !== undefined) return { kind: "channel", channelId: channelNamed(context, channel).id, topic };
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

/** A Markdown link to a file that a caller has uploaded. */
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
    throw new StateError(`${from} has uploaded no file ${name}; set up state attachment first`);
  return `[${name}](${uploadsPrefix}${attachment.path_id})`;
}
