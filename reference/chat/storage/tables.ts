import type { ColumnType, Generated, Selectable } from "kysely";

/** A flag that is false or true by default. */
type DefaultFlag = Generated<boolean>;
/** UNIX seconds. */
type Seconds = number;
/** A text in lower case (ASCII letters only), which the database derives from another column. It finds names in any case. */
type Key = ColumnType<string, never, never>;

/** An organization with its settings. */
export interface RealmTable {
  id: Generated<number>;
  /** The name of the organization in tests and paths, such as `org-7f3a`. */
  key: string;
  name: string;
  description: string;
  /** The address of the organization, which dummy e-mail addresses contain. */
  host: string;
  notification_bot_id: number | null;
  /** How far the clock of the organization is ahead of the server's. */
  clock_offset_seconds: Generated<number>;
  allow_message_editing: boolean;
  message_content_edit_limit_seconds: Seconds | null;
  move_messages_within_stream_limit_seconds: Seconds | null;
  move_messages_between_streams_limit_seconds: Seconds | null;
  can_resolve_topics_group: number;
  can_move_messages_between_channels_group: number;
  can_move_messages_between_topics_group: number;
  can_mention_many_users_group: number;
  can_change_user_emails: number;
  real_emails_visible_to: number;
  topics_required: boolean;
  empty_topic_display_name: string;
  edit_history_visible: boolean;
  max_file_upload_size_mib: number;
  push_service: boolean;
  /** A public key of the push relay (RFC 4648 base64). */
  bouncer_public_key: string;
  /** Messages with lower ids are hidden by the plan of the organization. */
  first_visible_message_id: Generated<number>;
  /** Whether web-public channels are enabled. */
  web_public_channels: Generated<boolean>;
  /** Increases with each change that must not happen at the same time as another one (`handlers.ts`). */
  revision: Generated<number>;
}

export interface UserTable {
  id: Generated<number>;
  realm_id: number;
  full_name: string;
  /** The real address. */
  email: string;
  email_key: Key;
  /** From the owner (100) down to guests (600): see `roles.ts`. */
  role: number;
  is_bot: DefaultFlag;
  /** The owner of a bot. */
  owner_id: number | null;
  is_active: DefaultFlag;
  /** SHA-256 of the API key; null for accounts that cannot log in. */
  api_key_hash: Uint8Array | null;
  has_gravatar: DefaultFlag;
  presence_enabled: DefaultFlag;
  status_text: string | null;
  status_emoji_name: string | null;
  status_emoji_code: string | null;
  status_reaction_type: string | null;
}

/** Users that a viewer has no access to. */
export interface InaccessibleUserTable {
  realm_id: number;
  viewer_id: number;
  user_id: number;
}

export interface MutedUserTable {
  realm_id: number;
  user_id: number;
  muted_user_id: number;
  muted_at: Seconds;
}

export interface UserGroupTable {
  id: Generated<number>;
  realm_id: number;
  /** Null for a group that exists only as the value of a setting. */
  name: string | null;
  name_key: ColumnType<string | null, never, never>;
  /** Highest role number of the members of a system group. Null for groups with explicit members. */
  most_role: number | null;
  is_deactivated: DefaultFlag;
}

export interface UserGroupMemberTable {
  realm_id: number;
  group_id: number;
  user_id: number;
}

export interface UserGroupSubgroupTable {
  realm_id: number;
  group_id: number;
  subgroup_id: number;
}

export interface ChannelTable {
  id: Generated<number>;
  realm_id: number;
  name: string;
  name_key: Key;
  is_private: DefaultFlag;
  /** Subscribers see only messages sent after they joined. */
  is_history_protected: DefaultFlag;
  is_default: DefaultFlag;
  is_web_public: DefaultFlag;
  can_remove_subscribers_group: number;
}

export interface SubscriptionTable {
  realm_id: number;
  user_id: number;
  channel_id: number;
}

export interface MutedTopicTable {
  realm_id: number;
  user_id: number;
  channel_id: number;
  topic: string;
  topic_key: Key;
}

/** A set of users who write to each other directly. */
export interface ConversationTable {
  id: Generated<number>;
  realm_id: number;
  /** The ids of the members in ascending order, joined by commas. */
  member_key: string;
}

export interface ConversationMemberTable {
  realm_id: number;
  conversation_id: number;
  user_id: number;
}

/** Either `channel_id` or `conversation_id` is set. Ids increase in the order of sending, across all organizations. */
export interface MessageTable {
  id: Generated<number>;
  realm_id: number;
  sender_id: number;
  channel_id: number | null;
  conversation_id: number | null;
  /** Empty for direct messages. */
  topic: string;
  topic_key: Key;
  /** Raw Markdown. */
  content: string;
  rendered_content: string;
  sent_at: Seconds;
  /** When the content was last edited. */
  edited_at: Seconds | null;
  /** When the message was last moved, except by resolving its topic. */
  moved_at: Seconds | null;
  client: string;
  is_me_message: DefaultFlag;
}

/** Recipients of messages: the personal history of each user. */
export interface UserMessageTable {
  realm_id: number;
  user_id: number;
  message_id: number;
  is_read: DefaultFlag;
  is_mentioned: DefaultFlag;
}

/** One edit of a message; columns of unchanged aspects are null. */
export interface MessageEditTable {
  id: Generated<number>;
  realm_id: number;
  message_id: number;
  user_id: number | null;
  edited_at: Seconds;
  prev_content: string | null;
  prev_rendered_content: string | null;
  prev_channel_id: number | null;
  prev_topic: string | null;
  channel_id: number | null;
  topic: string | null;
}

/** The full-text index over content and topic. Its other columns differ between the engines (`search-index.ts`). */
export interface MessageSearchTable {
  /** The id of the message. */
  rowid: number;
}

export interface ReactionTable {
  realm_id: number;
  message_id: number;
  user_id: number;
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

export interface RealmEmojiTable {
  id: Generated<number>;
  realm_id: number;
  name: string;
}

export interface AttachmentTable {
  id: Generated<number>;
  realm_id: number;
  owner_id: number;
  /** The part of its URL after `/user_uploads/`: `<organization>/<random>/<sanitised name>`. */
  path_id: string;
  /** The name of its bytes. */
  stored_as: string;
  /** The name that the client sent. */
  name: string;
  media_type: string;
  size: number;
  created_at_ms: number;
}

export interface AttachmentMessageTable {
  realm_id: number;
  attachment_id: number;
  message_id: number;
}

/** Resumable uploads. */
export interface UploadPartTable {
  realm_id: number;
  id: string;
  user_id: number;
  /** The name of the complete upload. */
  stored_as: string;
  size: number;
  received: number;
  /** JSON. */
  metadata: string;
  /** ISO 8601. */
  creation_date: string;
  touched_at_ms: number;
}

/** The bytes of uploads. */
export interface UploadChunkTable {
  realm_id: number;
  stored_as: string;
  /** The offset of the first byte. */
  position: number;
  bytes: Uint8Array;
  created_at_ms: number;
}

export interface ProfileFieldTable {
  id: Generated<number>;
  realm_id: number;
  name: string;
  hint: string;
  field_type: number;
  /** JSON. */
  field_data: string;
  display_in_profile_summary: boolean;
  required: boolean;
  editable_by_user: boolean;
}

export interface ProfileValueTable {
  realm_id: number;
  user_id: number;
  field_id: number;
  value: string;
}

export interface LinkifierTable {
  id: Generated<number>;
  realm_id: number;
  pattern: string;
  url_template: string;
}

export interface PushDeviceTable {
  realm_id: number;
  user_id: number;
  push_account_id: number;
  token_kind: string;
  push_public_key: string;
  bouncer_public_key: string;
  encrypted_push_registration: string;
}

export interface DeviceTokenTable {
  realm_id: number;
  user_id: number;
  kind: "ios" | "android";
  token: string;
  /** The app of an iOS device. */
  app_id: string | null;
}

export interface ReminderTable {
  id: Generated<number>;
  realm_id: number;
  user_id: number;
  message_id: number | null;
  note: string;
  due_at: Seconds;
}

export interface ScheduledMessageTable {
  id: Generated<number>;
  realm_id: number;
  sender_id: number;
  channel_id: number | null;
  conversation_id: number | null;
  topic: string;
  content: string;
  due_at: Seconds;
}

export interface NavigationViewTable {
  realm_id: number;
  user_id: number;
  fragment: string;
}

/** The sessions of browsers. Only a provider state begins one. */
export interface SessionTable {
  realm_id: number;
  user_id: number;
  /** SHA-256 of the token. */
  token_hash: Uint8Array;
}

/** The callers of an organization that a provider state created. The keys of other accounts are only stored as hashes. */
export interface StateCallerTable {
  realm_id: number;
  user_id: number;
  name: string;
  email: string;
  api_key: string;
}

/** How much of each user's rate limit is used, for servers with PostgreSQL; others keep it in memory. */
export interface RateLimitTable {
  realm_id: number;
  user_id: number;
  /** When the user has all requests of a burst again. */
  full_at_ms: number;
}

/** The settings of the whole server, in one row. */
export interface ServerTable {
  id: number;
  /** How users log in apart from e-mail address and API key: JSON of `LoginMethods`. */
  login_methods: string;
  /** JSON of `Build`. */
  build: Generated<string>;
}

/** The schema after the newest migration. */
export interface Tables {
  realm: RealmTable;
  user: UserTable;
  inaccessible_user: InaccessibleUserTable;
  muted_user: MutedUserTable;
  user_group: UserGroupTable;
  user_group_member: UserGroupMemberTable;
  user_group_subgroup: UserGroupSubgroupTable;
  channel: ChannelTable;
  subscription: SubscriptionTable;
  muted_topic: MutedTopicTable;
  conversation: ConversationTable;
  conversation_member: ConversationMemberTable;
  message: MessageTable;
  user_message: UserMessageTable;
  message_edit: MessageEditTable;
  message_search: MessageSearchTable;
  reaction: ReactionTable;
  realm_emoji: RealmEmojiTable;
  attachment: AttachmentTable;
  attachment_message: AttachmentMessageTable;
  upload_part: UploadPartTable;
  upload_chunk: UploadChunkTable;
  profile_field: ProfileFieldTable;
  profile_value: ProfileValueTable;
  linkifier: LinkifierTable;
  push_device: PushDeviceTable;
  device_token: DeviceTokenTable;
  reminder: ReminderTable;
  scheduled_message: ScheduledMessageTable;
  navigation_view: NavigationViewTable;
  session: SessionTable;
  state_caller: StateCallerTable;
  rate_limit: RateLimitTable;
  server: ServerTable;
}

export type Realm = Selectable<RealmTable>;
export type User = Selectable<UserTable>;
export type Channel = Selectable<ChannelTable>;
export type Message = Selectable<MessageTable>;
export type UserGroup = Selectable<UserGroupTable>;
export type Attachment = Selectable<AttachmentTable>;
export type Reminder = Selectable<ReminderTable>;
export type ScheduledMessage = Selectable<ScheduledMessageTable>;
