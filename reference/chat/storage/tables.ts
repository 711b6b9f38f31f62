import type { ColumnType, Generated, Selectable } from "kysely";

/** A flag that is false or true by default. */
type DefaultFlag = Generated<boolean>;
/** UNIX seconds. */
type Seconds = number;
/** A text in lower case (ASCII letters only), which the database derives from another column. It finds names in any case. */
type Key = ColumnType<string, never, never>;

/** Rows of an organization. */
interface InRealm {
  realm_id: number;
}
/** Rows with an id, which is unique across all organizations. */
interface Row extends InRealm {
  id: Generated<number>;
}
interface OfUser extends InRealm {
  user_id: number;
}
interface OfMessage extends InRealm {
  message_id: number;
}
interface OfChannel extends InRealm {
  channel_id: number;
}

/** The schema after the newest migration. */
export interface Tables {
  /** An organization with its settings. */
  realm: {
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
  };
  user: Row & {
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
  };
  /** Users that a viewer has no access to. */
  inaccessible_user: OfUser & { viewer_id: number };
  muted_user: OfUser & {
    muted_user_id: number;
    muted_at: Seconds;
  };
  user_group: Row & {
    /** Null for a group that exists only as the value of a setting. */
    name: string | null;
    name_key: ColumnType<string | null, never, never>;
    /** Highest role number of the members of a system group. Null for groups with explicit members. */
    most_role: number | null;
    is_deactivated: DefaultFlag;
  };
  user_group_member: OfUser & { group_id: number };
  user_group_subgroup: InRealm & {
    group_id: number;
    subgroup_id: number;
  };
  channel: Row & {
    name: string;
    name_key: Key;
    is_private: DefaultFlag;
    /** Subscribers see only messages sent after they joined. */
    is_history_protected: DefaultFlag;
    is_default: DefaultFlag;
    is_web_public: DefaultFlag;
    can_remove_subscribers_group: number;
  };
  subscription: OfUser & OfChannel;
  muted_topic: OfUser &
    OfChannel & {
      topic: string;
      topic_key: Key;
    };
  /** A set of users who write to each other directly. */
  conversation: Row & {
    /** The ids of the members in ascending order, joined by commas. */
    member_key: string;
  };
  conversation_member: OfUser & { conversation_id: number };
  /** Either `channel_id` or `conversation_id` is set. Ids increase in the order of sending, across all organizations. */
  message: Row & {
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
  };
  /** Recipients of messages: the personal history of each user. */
  user_message: OfUser &
    OfMessage & {
      is_read: DefaultFlag;
      is_mentioned: DefaultFlag;
    };
  /** One edit of a message; columns of unchanged aspects are null. */
  message_edit: Row &
    OfMessage & {
      user_id: number | null;
      edited_at: Seconds;
      prev_content: string | null;
      prev_rendered_content: string | null;
      prev_channel_id: number | null;
      prev_topic: string | null;
      channel_id: number | null;
      topic: string | null;
    };
  /** The full-text index over content and topic. Its other columns differ between the engines (`search-index.ts`). */
  message_search: {
    /** The id of the message. */
    rowid: number;
  };
  reaction: OfUser &
    OfMessage & {
      emoji_name: string;
      emoji_code: string;
      reaction_type: string;
    };
  realm_emoji: Row & { name: string };
  attachment: Row & {
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
  };
  attachment_message: OfMessage & { attachment_id: number };
  /** Resumable uploads. */
  upload_part: OfUser & {
    id: string;
    /** The name of the complete upload. */
    stored_as: string;
    size: number;
    received: number;
    /** JSON. */
    metadata: string;
    /** ISO 8601. */
    creation_date: string;
    touched_at_ms: number;
  };
  /** The bytes of uploads. */
  upload_chunk: InRealm & {
    stored_as: string;
    /** The offset of the first byte. */
    position: number;
    bytes: Uint8Array;
    created_at_ms: number;
  };
  profile_field: Row & {
    name: string;
    hint: string;
    field_type: number;
    /** JSON. */
    field_data: string;
    display_in_profile_summary: boolean;
    required: boolean;
    editable_by_user: boolean;
  };
  profile_value: OfUser & {
    field_id: number;
    value: string;
  };
  linkifier: Row & {
    pattern: string;
    url_template: string;
  };
  push_device: OfUser & {
    push_account_id: number;
    token_kind: string;
    push_public_key: string;
    bouncer_public_key: string;
    encrypted_push_registration: string;
  };
  device_token: OfUser & {
    kind: "ios" | "android";
    token: string;
    /** The app of an iOS device. */
    app_id: string | null;
  };
  reminder: Row &
    OfUser & {
      message_id: number | null;
      note: string;
      due_at: Seconds;
    };
  scheduled_message: Row & {
    sender_id: number;
    channel_id: number | null;
    conversation_id: number | null;
    topic: string;
    content: string;
    due_at: Seconds;
  };
  navigation_view: OfUser & { fragment: string };
  /** The sessions of browsers. Only a provider state begins one. */
  session: OfUser & {
    /** SHA-256 of the token. */
    token_hash: Uint8Array;
  };
  /** The callers of an organization that a provider state created. The keys of other accounts are only stored as hashes. */
  state_caller: OfUser & {
    name: string;
    email: string;
    api_key: string;
  };
  /** How much of each user's rate limit is used, for servers with PostgreSQL; others keep it in memory. */
  rate_limit: OfUser & {
    /** When the user has all requests of a burst again. */
    full_at_ms: number;
  };
  /** The settings of the whole server, in one row. */
  server: {
    id: number;
    /** JSON of some `ServerSettings`, like `build`. */
    login_methods: string;
    build: Generated<string>;
  };
}

export type Realm = Selectable<Tables["realm"]>;
export type User = Selectable<Tables["user"]>;
export type Channel = Selectable<Tables["channel"]>;
export type Message = Selectable<Tables["message"]>;
export type UserGroup = Selectable<Tables["user_group"]>;
export type Attachment = Selectable<Tables["attachment"]>;
export type Reminder = Selectable<Tables["reminder"]>;
export type ScheduledMessage = Selectable<Tables["scheduled_message"]>;
