import { randomBytes } from "node:crypto";
import { createSystemGroups } from "../groups/create-group.js";
import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { createUser } from "../users/create-user.js";

const day = 24 * 60 * 60;

/** Creates an organization with default settings, the system groups and a notification bot, but without users. */
export async function createOrganization(
  database: Database,
  named: { key?: string; name?: string } = {},
): Promise<Realm> {
  const key = named.key ?? `org-${randomBytes(6).toString("hex")}`;
  const unset = 0;
  const { id } = await database
    .insertInto("realm")
    .values({
      key,
      name: named.name ?? `Organization ${key}`,
      description: "",
      host: `${key}.example`,
      notification_bot_id: null,
      allow_message_editing: true,
      message_content_edit_limit_seconds: 600,
      move_messages_within_stream_limit_seconds: 7 * day,
      move_messages_between_streams_limit_seconds: 7 * day,
      can_resolve_topics_group: unset,
      can_move_messages_between_channels_group: unset,
      can_move_messages_between_topics_group: unset,
      can_mention_many_users_group: unset,
      can_change_user_emails: unset,
      real_emails_visible_to: unset,
      topics_required: false,
      empty_topic_display_name: "general chat",
      edit_history_visible: true,
      max_file_upload_size_mib: 25,
      push_service: true,
      bouncer_public_key: randomBytes(32).toString("base64"),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const groups = await createSystemGroups(database, id);
  const bot = await createUser(database, {
    realmId: id,
    fullName: "Notification Bot",
    email: `notification-bot@${key}.example`,
    role: roles.member,
    bot: { ownerId: null },
  });
  // The notification bot only sends messages; it cannot log in.
  await database
    .updateTable("user")
    .set({ api_key_hash: null })
    .where("realm_id", "=", id)
    .where("id", "=", bot.id)
    .execute();
  return database
    .updateTable("realm")
    .set({
      notification_bot_id: bot.id,
      can_resolve_topics_group: groups.everyone,
      can_move_messages_between_channels_group: groups.members,
      can_move_messages_between_topics_group: groups.everyone,
      can_mention_many_users_group: groups.administrators,
      can_change_user_emails: groups.owners,
      real_emails_visible_to: groups.everyone,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the organization with this key. Throws if it does not exist. */
export async function requireOrganization(database: Database, key: string): Promise<Realm> {
  const realm = await database.selectFrom("realm").selectAll().where("key", "=", key).executeTakeFirst();
  if (realm === undefined) throw new Error(`organization ${JSON.stringify(key)} does not exist`);
  return realm;
}
