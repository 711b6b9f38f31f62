/** The SQL that differs between the engines, as one of them writes it. */
export interface SqlForms {
  /** Columns and keys of a table whose rows have ids. */
  readonly id: string;
  readonly idKey: string;
  /** The id of messages and of scheduled messages: a sent message never has the id that it had as a scheduled one. */
  readonly messageId: string;
  readonly integer: string;
  readonly text: string;
  readonly bytes: string;
  /** A keyword before `table`, for a table that a crash of the database may empty. */
  readonly unlogged: string;
  /** After the columns of a table without ids. */
  readonly withoutId: string;
  /** Statements before the tables. */
  readonly before: readonly string[];
  /** The full-text index. */
  readonly search: readonly string[];
  /** Tells the planner of SQLite about all indexes. */
  readonly statistics: readonly string[];
}

/** Statements that change the schema from one version to the next. */
export type Migration = (forms: SqlForms) => readonly string[];

/**
 * All migrations in order, for both engines. A released migration never changes.
 *
 * Every table leads with the organization, in its key, indexes and foreign keys, so that a database can be distributed by
 * `realm_id`. Only `realm` and `server` are about the whole server. Ids are unique across all organizations.
 */
export const migrations: readonly Migration[] = [initial];

/** The first schema. */
function initial({
  id,
  idKey,
  messageId,
  integer,
  text,
  bytes,
  unlogged,
  withoutId,
  before,
  search,
  statistics,
}: SqlForms): readonly string[] {
  const lower = (column: string) => `${text} generated always as (lower(${column})) stored`;
  const user = `foreign key (realm_id, user_id) references "user"(realm_id, id)`;
  const message = "foreign key (realm_id, message_id) references message(realm_id, id)";
  const channel = "foreign key (realm_id, channel_id) references channel(realm_id, id)";
  const group = "foreign key (realm_id, group_id) references user_group(realm_id, id)";
  const conversation = "foreign key (realm_id, conversation_id) references conversation(realm_id, id)";
  return [
    ...before,
    `create table server (
      id ${integer} primary key check (id = 1),
      login_methods ${text} not null,
      build ${text} not null default '{}'
    )`,
    `create table realm (
      id ${id},
      key ${text} not null unique,
      name ${text} not null,
      description ${text} not null,
      host ${text} not null,
      notification_bot_id ${integer},
      clock_offset_seconds ${integer} not null default 0,
      allow_message_editing boolean not null,
      message_content_edit_limit_seconds ${integer},
      move_messages_within_stream_limit_seconds ${integer},
      move_messages_between_streams_limit_seconds ${integer},
      can_resolve_topics_group ${integer} not null,
      can_move_messages_between_channels_group ${integer} not null,
      can_move_messages_between_topics_group ${integer} not null,
      can_mention_many_users_group ${integer} not null,
      can_change_user_emails ${integer} not null,
      real_emails_visible_to ${integer} not null,
      topics_required boolean not null,
      empty_topic_display_name ${text} not null,
      edit_history_visible boolean not null,
      max_file_upload_size_mib ${integer} not null,
      push_service boolean not null,
      bouncer_public_key ${text} not null,
      revision ${integer} not null default 0,
      first_visible_message_id ${integer} not null default 0,
      web_public_channels boolean not null default true,
      unique (id)
    )`,
    `create table "user" (
      realm_id ${integer} not null references realm(id),
      id ${id},
      full_name ${text} not null,
      email ${text} not null,
      email_key ${lower("email")},
      role ${integer} not null check (role in (100, 200, 300, 400, 600)),
      is_bot boolean not null default false,
      owner_id ${integer},
      is_active boolean not null default true,
      api_key_hash ${bytes},
      has_gravatar boolean not null default false,
      presence_enabled boolean not null default true,
      status_text ${text},
      status_emoji_name ${text},
      status_emoji_code ${text},
      status_reaction_type ${text},
      ${idKey},
      unique (realm_id, email_key),
      foreign key (realm_id, owner_id) references "user"(realm_id, id)
    )`,
    'create index user_by_name on "user" (realm_id, full_name)',
    'create index user_by_role on "user" (realm_id, role, id) where is_active and not is_bot',
    `create table inaccessible_user (
      realm_id ${integer} not null,
      viewer_id ${integer} not null,
      user_id ${integer} not null,
      primary key (realm_id, viewer_id, user_id),
      foreign key (realm_id, viewer_id) references "user"(realm_id, id),
      ${user}
    )${withoutId}`,
    `create table muted_user (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      muted_user_id ${integer} not null,
      muted_at ${integer} not null,
      primary key (realm_id, user_id, muted_user_id),
      ${user},
      foreign key (realm_id, muted_user_id) references "user"(realm_id, id)
    )${withoutId}`,
    "create index muted_user_by_muted on muted_user (realm_id, muted_user_id)",
    `create table user_group (
      realm_id ${integer} not null references realm(id),
      id ${id},
      name ${text},
      name_key ${lower("name")},
      most_role ${integer},
      is_deactivated boolean not null default false,
      ${idKey},
      unique (realm_id, name_key)
    )`,
    `create table user_group_member (
      realm_id ${integer} not null,
      group_id ${integer} not null,
      user_id ${integer} not null,
      primary key (realm_id, group_id, user_id),
      ${group},
      ${user}
    )${withoutId}`,
    `create table user_group_subgroup (
      realm_id ${integer} not null,
      group_id ${integer} not null,
      subgroup_id ${integer} not null,
      primary key (realm_id, group_id, subgroup_id),
      ${group},
      foreign key (realm_id, subgroup_id) references user_group(realm_id, id)
    )${withoutId}`,
    "create index user_group_by_subgroup on user_group_subgroup (realm_id, subgroup_id)",
    `create table channel (
      realm_id ${integer} not null references realm(id),
      id ${id},
      name ${text} not null,
      name_key ${lower("name")},
      is_private boolean not null default false,
      is_history_protected boolean not null default false,
      is_default boolean not null default false,
      is_web_public boolean not null default false,
      can_remove_subscribers_group ${integer} not null,
      ${idKey},
      unique (realm_id, name_key),
      foreign key (realm_id, can_remove_subscribers_group) references user_group(realm_id, id)
    )`,
    "create index channel_web_public on channel (realm_id, id) where is_web_public",
    "create index channel_by_remover on channel (realm_id, can_remove_subscribers_group, id)",
    `create table subscription (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      channel_id ${integer} not null,
      primary key (realm_id, user_id, channel_id),
      ${user},
      ${channel}
    )${withoutId}`,
    "create index subscription_by_channel on subscription (realm_id, channel_id)",
    `create table muted_topic (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      channel_id ${integer} not null,
      topic ${text} not null,
      topic_key ${lower("topic")},
      unique (realm_id, user_id, channel_id, topic_key),
      ${user},
      ${channel}
    )`,
    `create table conversation (
      realm_id ${integer} not null references realm(id),
      id ${id},
      member_key ${text} not null,
      ${idKey},
      unique (realm_id, member_key)
    )`,
    `create table conversation_member (
      realm_id ${integer} not null,
      conversation_id ${integer} not null,
      user_id ${integer} not null,
      primary key (realm_id, conversation_id, user_id),
      ${conversation},
      ${user}
    )${withoutId}`,
    "create index conversation_by_member on conversation_member (realm_id, user_id)",
    `create table message (
      realm_id ${integer} not null references realm(id),
      id ${messageId},
      sender_id ${integer} not null,
      channel_id ${integer},
      conversation_id ${integer},
      topic ${text} not null,
      topic_key ${lower("topic")},
      sent_at ${integer} not null,
      edited_at ${integer},
      moved_at ${integer},
      client ${text} not null,
      is_me_message boolean not null default false,
      has_link boolean not null default false,
      has_image boolean not null default false,
      has_attachment boolean not null default false,
      content ${text} not null,
      rendered_content ${text} not null,
      ${idKey},
      check ((channel_id is null) <> (conversation_id is null)),
      foreign key (realm_id, sender_id) references "user"(realm_id, id),
      ${channel},
      ${conversation}
    )`,
    "create index message_by_topic on message (realm_id, channel_id, topic_key, id) where channel_id is not null",
    "create index message_by_channel on message (realm_id, channel_id, id) where channel_id is not null",
    "create index message_by_conversation on message (realm_id, conversation_id, id) where conversation_id is not null",
    "create index message_by_sender on message (realm_id, sender_id, id)",
    `create table user_message (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      message_id ${integer} not null,
      is_read boolean not null default false,
      is_mentioned boolean not null default false,
      primary key (realm_id, user_id, message_id),
      ${user},
      ${message}
    )${withoutId}`,
    "create index user_message_by_message on user_message (realm_id, message_id)",
    "create index user_message_unread on user_message (realm_id, user_id, message_id) where not is_read",
    "create index user_message_mentioned on user_message (realm_id, user_id, message_id) where is_mentioned",
    `create table message_edit (
      realm_id ${integer} not null,
      id ${id},
      message_id ${integer} not null,
      user_id ${integer},
      edited_at ${integer} not null,
      prev_content ${text},
      prev_rendered_content ${text},
      prev_channel_id ${integer},
      prev_topic ${text},
      channel_id ${integer},
      topic ${text},
      ${idKey},
      ${message},
      ${user}
    )`,
    "create index message_edit_by_message on message_edit (realm_id, message_id, id)",
    `create table reaction (
      realm_id ${integer} not null,
      message_id ${integer} not null,
      user_id ${integer} not null,
      emoji_name ${text} not null,
      emoji_code ${text} not null,
      reaction_type ${text} not null,
      primary key (realm_id, message_id, user_id, reaction_type, emoji_code),
      ${message},
      ${user}
    )${withoutId}`,
    `create table realm_emoji (
      realm_id ${integer} not null references realm(id),
      id ${id},
      name ${text} not null,
      ${idKey},
      unique (realm_id, name)
    )`,
    `create table attachment (
      realm_id ${integer} not null references realm(id),
      id ${id},
      owner_id ${integer} not null,
      path_id ${text} not null,
      stored_as ${text} not null,
      name ${text} not null,
      media_type ${text} not null,
      size ${integer} not null,
      created_at_ms ${integer} not null,
      ${idKey},
      unique (realm_id, path_id),
      unique (realm_id, stored_as),
      foreign key (realm_id, owner_id) references "user"(realm_id, id)
    )`,
    "create index attachment_by_age on attachment (realm_id, created_at_ms, id)",
    `create table attachment_message (
      realm_id ${integer} not null,
      attachment_id ${integer} not null,
      message_id ${integer} not null,
      primary key (realm_id, attachment_id, message_id),
      foreign key (realm_id, attachment_id) references attachment(realm_id, id),
      ${message}
    )${withoutId}`,
    "create index attachment_by_message on attachment_message (realm_id, message_id)",
    `create table upload_part (
      realm_id ${integer} not null,
      id ${text} not null,
      user_id ${integer} not null,
      stored_as ${text} not null,
      size ${integer} not null,
      received ${integer} not null,
      metadata ${text} not null,
      creation_date ${text} not null,
      touched_at_ms ${integer} not null,
      primary key (realm_id, id),
      ${user}
    )`,
    "create index upload_part_by_name on upload_part (realm_id, stored_as)",
    `create table upload_chunk (
      realm_id ${integer} not null references realm(id),
      stored_as ${text} not null,
      position ${integer} not null,
      bytes ${bytes} not null,
      created_at_ms ${integer} not null,
      primary key (realm_id, stored_as, position)
    )`,
    `create table profile_field (
      realm_id ${integer} not null references realm(id),
      id ${id},
      name ${text} not null,
      hint ${text} not null,
      field_type ${integer} not null check (field_type between 1 and 8),
      field_data ${text} not null,
      display_in_profile_summary boolean not null,
      required boolean not null,
      editable_by_user boolean not null,
      ${idKey},
      unique (realm_id, name)
    )`,
    `create table profile_value (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      field_id ${integer} not null,
      value ${text} not null,
      primary key (realm_id, user_id, field_id),
      ${user},
      foreign key (realm_id, field_id) references profile_field(realm_id, id)
    )${withoutId}`,
    `create table linkifier (
      realm_id ${integer} not null references realm(id),
      id ${id},
      pattern ${text} not null,
      url_template ${text} not null,
      ${idKey},
      unique (realm_id, pattern)
    )`,
    `create table push_device (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      push_account_id ${integer} not null,
      token_kind ${text} not null,
      push_public_key ${text} not null,
      bouncer_public_key ${text} not null,
      encrypted_push_registration ${text} not null,
      primary key (realm_id, user_id, push_account_id),
      ${user}
    )${withoutId}`,
    `create table device_token (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      kind ${text} not null,
      token ${text} not null,
      app_id ${text},
      primary key (realm_id, user_id, kind, token),
      ${user}
    )${withoutId}`,
    `create table reminder (
      realm_id ${integer} not null,
      id ${id},
      user_id ${integer} not null,
      message_id ${integer},
      note ${text} not null,
      due_at ${integer} not null,
      ${idKey},
      ${user},
      ${message}
    )`,
    "create index reminder_by_due on reminder (realm_id, due_at)",
    "create index reminder_by_user on reminder (realm_id, user_id)",
    "create index reminder_by_message on reminder (realm_id, message_id) where message_id is not null",
    `create table scheduled_message (
      realm_id ${integer} not null,
      id ${messageId},
      sender_id ${integer} not null,
      channel_id ${integer},
      conversation_id ${integer},
      topic ${text} not null,
      content ${text} not null,
      due_at ${integer} not null,
      ${idKey},
      foreign key (realm_id, sender_id) references "user"(realm_id, id),
      ${channel},
      ${conversation}
    )`,
    "create index scheduled_message_by_due on scheduled_message (realm_id, due_at)",
    `create table navigation_view (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      fragment ${text} not null,
      primary key (realm_id, user_id, fragment),
      ${user}
    )${withoutId}`,
    `create table session (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      token_hash ${bytes} not null,
      primary key (realm_id, token_hash),
      ${user}
    )${withoutId}`,
    `create table state_caller (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      name ${text} not null,
      email ${text} not null,
      api_key ${text} not null,
      primary key (realm_id, name),
      ${user}
    )${withoutId}`,
    `create ${unlogged} table rate_limit (
      realm_id ${integer} not null,
      user_id ${integer} not null,
      full_at_ms double precision not null,
      primary key (realm_id, user_id),
      ${user}
    )${withoutId}`,
    ...search,
    ...statistics,
  ];
}
