/** The first schema: organizations, users, groups, channels, messages and related tables. */
export const initial = `
create table realm (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  description text not null,
  host text not null,
  notification_bot_id integer references user(id),
  clock_offset_seconds integer not null default 0,
  allow_message_editing integer not null,
  message_content_edit_limit_seconds integer,
  move_messages_within_stream_limit_seconds integer,
  move_messages_between_streams_limit_seconds integer,
  can_resolve_topics_group integer not null,
  can_move_messages_between_channels_group integer not null,
  can_move_messages_between_topics_group integer not null,
  can_mention_many_users_group integer not null,
  can_change_user_emails integer not null,
  real_emails_visible_to integer not null,
  topics_required integer not null,
  empty_topic_display_name text not null,
  edit_history_visible integer not null,
  max_file_upload_size_mib integer not null,
  push_service integer not null,
  bouncer_public_key text not null
) strict;

create table user (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  full_name text not null,
  email text not null collate nocase,
  role integer not null check (role in (100, 200, 300, 400, 600)),
  is_bot integer not null default 0,
  owner_id integer references user(id),
  is_active integer not null default 1,
  api_key_hash blob,
  has_gravatar integer not null default 0,
  presence_enabled integer not null default 1,
  status_text text,
  status_emoji_name text,
  status_emoji_code text,
  status_reaction_type text,
  unique (realm_id, email)
) strict;
create index user_by_email on user (email);

create table inaccessible_user (
  viewer_id integer not null references user(id),
  user_id integer not null references user(id),
  primary key (viewer_id, user_id)
) strict, without rowid;

create table muted_user (
  user_id integer not null references user(id),
  muted_user_id integer not null references user(id),
  muted_at integer not null,
  primary key (user_id, muted_user_id)
) strict, without rowid;
create index muted_user_by_muted on muted_user (muted_user_id);

create table user_group (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  name text collate nocase,
  most_role integer,
  is_deactivated integer not null default 0,
  unique (realm_id, name)
) strict;

create table user_group_member (
  group_id integer not null references user_group(id),
  user_id integer not null references user(id),
  primary key (group_id, user_id)
) strict, without rowid;

create table user_group_subgroup (
  group_id integer not null references user_group(id),
  subgroup_id integer not null references user_group(id),
  primary key (group_id, subgroup_id)
) strict, without rowid;
create index user_group_by_subgroup on user_group_subgroup (subgroup_id);

create table channel (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  name text not null collate nocase,
  is_private integer not null default 0,
  is_history_protected integer not null default 0,
  is_default integer not null default 0,
  can_remove_subscribers_group integer not null references user_group(id),
  unique (realm_id, name)
) strict;

create table subscription (
  user_id integer not null references user(id),
  channel_id integer not null references channel(id),
  primary key (user_id, channel_id)
) strict, without rowid;
create index subscription_by_channel on subscription (channel_id);

create table muted_topic (
  user_id integer not null references user(id),
  channel_id integer not null references channel(id),
  topic text not null collate nocase,
  primary key (user_id, channel_id, topic)
) strict, without rowid;

create table conversation (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  member_key text not null,
  unique (realm_id, member_key)
) strict;

create table conversation_member (
  conversation_id integer not null references conversation(id),
  user_id integer not null references user(id),
  primary key (conversation_id, user_id)
) strict, without rowid;
create index conversation_by_member on conversation_member (user_id);

create table message (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  sender_id integer not null references user(id),
  channel_id integer references channel(id),
  conversation_id integer references conversation(id),
  topic text not null collate nocase,
  sent_at integer not null,
  edited_at integer,
  moved_at integer,
  client text not null,
  is_me_message integer not null default 0,
  has_link integer not null default 0,
  has_image integer not null default 0,
  has_attachment integer not null default 0,
  content text not null,
  rendered_content text not null,
  check ((channel_id is null) <> (conversation_id is null))
) strict;
create index message_by_topic on message (channel_id, topic, id) where channel_id is not null;
create index message_by_channel on message (channel_id, id) where channel_id is not null;
create index message_by_conversation on message (conversation_id, id) where conversation_id is not null;
create index message_by_sender on message (sender_id, id);
create index message_by_realm on message (realm_id, id);

create table user_message (
  user_id integer not null references user(id),
  message_id integer not null references message(id),
  is_read integer not null default 0,
  is_mentioned integer not null default 0,
  primary key (user_id, message_id)
) strict, without rowid;
create index user_message_by_message on user_message (message_id);
create index user_message_unread on user_message (user_id, message_id) where is_read = 0;
create index user_message_mentioned on user_message (user_id, message_id) where is_mentioned = 1;

create table message_edit (
  id integer primary key autoincrement,
  message_id integer not null references message(id),
  user_id integer references user(id),
  edited_at integer not null,
  prev_content text,
  prev_rendered_content text,
  prev_channel_id integer,
  prev_topic text,
  channel_id integer,
  topic text
) strict;
create index message_edit_by_message on message_edit (message_id, id);

create virtual table message_search using fts5(
  content, topic, bucket, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);

create table reaction (
  message_id integer not null references message(id),
  user_id integer not null references user(id),
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (message_id, user_id, reaction_type, emoji_code)
) strict, without rowid;

create table realm_emoji (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  name text not null,
  unique (realm_id, name)
) strict;

create table attachment (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  owner_id integer not null references user(id),
  path_id text not null unique,
  stored_as text not null unique,
  name text not null,
  media_type text not null,
  size integer not null,
  created_at_ms integer not null
) strict;
create index attachment_by_age on attachment (realm_id, created_at_ms, id);

create table attachment_message (
  attachment_id integer not null references attachment(id),
  message_id integer not null references message(id),
  primary key (attachment_id, message_id)
) strict, without rowid;
create index attachment_by_message on attachment_message (message_id);

create table profile_field (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  name text not null,
  hint text not null,
  field_type integer not null check (field_type between 1 and 8),
  field_data text not null,
  display_in_profile_summary integer not null,
  required integer not null,
  editable_by_user integer not null,
  unique (realm_id, name)
) strict;

create table profile_value (
  user_id integer not null references user(id),
  field_id integer not null references profile_field(id),
  value text not null,
  primary key (user_id, field_id)
) strict, without rowid;

create table linkifier (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  pattern text not null,
  url_template text not null,
  unique (realm_id, pattern)
) strict;

create table push_device (
  user_id integer not null references user(id),
  push_account_id integer not null,
  token_kind text not null,
  push_public_key text not null,
  bouncer_public_key text not null,
  encrypted_push_registration text not null,
  primary key (user_id, push_account_id)
) strict, without rowid;

create table device_token (
  user_id integer not null references user(id),
  kind text not null,
  token text not null,
  app_id text,
  primary key (user_id, kind, token)
) strict, without rowid;

create table reminder (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  user_id integer not null references user(id),
  message_id integer references message(id),
  note text not null,
  due_at integer not null
) strict;
create index reminder_by_due on reminder (realm_id, due_at);
create index reminder_by_user on reminder (user_id);

create table scheduled_message (
  id integer primary key autoincrement,
  realm_id integer not null references realm(id),
  sender_id integer not null references user(id),
  channel_id integer references channel(id),
  conversation_id integer references conversation(id),
  topic text not null,
  content text not null,
  due_at integer not null
) strict;
create index scheduled_message_by_due on scheduled_message (realm_id, due_at);

create table navigation_view (
  user_id integer not null references user(id),
  fragment text not null,
  primary key (user_id, fragment)
) strict, without rowid;
`;
