// Written by `npm run generate`. Not to be edited.

/** The callers of every organization. */
export const callers = ["owner","administrator","moderator","member","other","guest","bot","deactivated"] as const;
export type CallerName = (typeof callers)[number];

/** The provider states. */
export const stateNames = [
  "organization",
  "sole-user",
  "missing",
  "limit-texts",
  "moment",
  "time-passes",
  "channel",
  "subscription",
  "muted-topic",
  "navigation-view",
  "wildcard-mentions",
  "message",
  "messages",
  "message-deleted",
  "limited-history",
  "notifications",
  "reaction",
  "scheduled-message",
  "user",
  "inaccessible-user",
  "user-status",
  "session",
  "gravatar",
  "muted-user",
  "user-group",
  "user-group-changed",
  "user-group-mention",
  "profile-field",
  "login-methods",
  "own-profile-value",
  "organization-address",
  "web-public-channel",
  "build",
  "client-compatibility",
  "external-account",
  "linkifier",
  "attachment",
  "android-token",
  "refused-tokens",
] as const;
export type StateName = (typeof stateNames)[number];

/** The parameters of each state, besides `organization`. */
export interface StateParams {
    /**
     * @description A new organization with its callers and without messages, or other settings for an existing one. Only states and requests of the
     *     test cause messages there: for example, the server sends no welcome messages.
     */
    organization: {
        /** @description Realm settings by name. The value of a group setting is a list of callers. */
        settings?: {
            allow_message_editing?: boolean;
            /** @description Null means no limit. */
            message_content_edit_limit_seconds?: number | null;
            /** @description Null means no limit. */
            move_messages_within_stream_limit_seconds?: number | null;
            /** @description Null means no limit. */
            move_messages_between_streams_limit_seconds?: number | null;
            can_resolve_topics_group?: CallerName[];
            can_move_messages_between_channels_group?: CallerName[];
            can_move_messages_between_topics_group?: CallerName[];
            can_mention_many_users_group?: CallerName[];
            can_change_user_emails?: CallerName[];
            /** @description Whether messages must have a topic. */
            topics_required?: boolean;
            empty_topic_display_name?: string;
            /** @description Whether users may see how a message was edited. */
            edit_history_visible?: boolean;
            /** @description Defaults to all users. */
            real_emails_visible_to?: CallerName[];
            /** @description The maximum size of an upload. 0 allows only empty files. */
            max_file_upload_size_mib?: number;
            /** @description Whether the server uses a push service. */
            push_service?: boolean;
        };
    };
    /** @description A new organization whose only user is `member`, who is not an owner. */
    "sole-user": Record<string, never>;
    /** @description Ids and names that are unknown in every organization. */
    missing: Record<string, never>;
    /** @description Texts at the maximum length that the server allows, and one letter above it. They are of ASCII letters unless stated. */
    "limit-texts": Record<string, never>;
    /** @description A time by the server's clock, for parameters that are timestamps. */
    moment: {
        /** @description Seconds from now. */
        in_seconds: number;
    };
    /**
     * @description The clock of the server is moved ahead. When the server responds, everything that fell due meanwhile is done, and so is the work
     *     that earlier requests deferred until after their responses.
     */
    "time-passes": {
        seconds: number;
    };
    /** @description A channel exists. */
    channel: {
        name: string;
        /** @description Defaults to no callers. */
        subscribers?: CallerName[];
        /** @description Defaults to false. */
        private?: boolean;
        /** @description Whether subscribers see only what was sent after they joined. Defaults to false. */
        history_protected?: boolean;
        /** @description Whether new users are subscribed. Defaults to false. */
        default?: boolean;
        /** @description Adds so many subscribers that wildcard mentions are restricted. Defaults to false. */
        many_subscribers?: boolean;
        /** @description Defaults to no callers. */
        can_remove_subscribers_group?: CallerName[];
    };
    /** @description Callers have subscribed to a channel that exists. */
    subscription: {
        name: string;
        subscribers: CallerName[];
    };
    /** @description A caller has muted a topic of a channel that exists and that the caller is subscribed to. */
    "muted-topic": {
        /** @description The user who muted. Defaults to member. */
        by?: CallerName;
        /** @description The name of the channel. */
        channel: string;
        /** @description A topic with or without messages. */
        topic: string;
    };
    /** @description A caller has a navigation view. */
    "navigation-view": {
        /** @description The owner of the view. Defaults to member. */
        of?: CallerName;
        /** @description The unique URL hash of the view. */
        fragment: string;
    };
    /** @description Texts with wildcard mentions, in the syntax of the server. */
    "wildcard-mentions": Record<string, never>;
    /** @description One message was sent. */
    message: {
        /** @description Defaults to member. */
        from?: CallerName;
        /** @description The name of an existing channel. Without it, `to` is needed. */
        channel?: string;
        /** @description Defaults to the empty topic. */
        topic?: string;
        /** @description The recipients of a direct message. */
        to?: CallerName[];
        /** @description Raw Markdown. */
        content?: string;
        /** @description Names of files that `from` has uploaded. The content ends in a link to each. */
        links?: string[];
        /** @description The age of the message. Defaults to 0. */
        age_seconds?: number;
        /** @description Who has read it. Defaults to the sender and those who have muted the sender. */
        read_by?: CallerName[];
    };
    /** @description Several messages were sent, in this order. The parameters are those of `message`, with `contents` instead of `content`. */
    messages: {
        from?: CallerName;
        channel?: string;
        topic?: string;
        to?: CallerName[];
        contents: string[];
        age_seconds?: number;
        read_by?: CallerName[];
    };
    /** @description A message was deleted. */
    "message-deleted": {
        message_id: number;
    };
    /** @description The plan of the organization hides all messages before a message. `GET /messages` returns none of them. */
    "limited-history": {
        /** @description The first message that is not hidden. */
        message_id: number;
    };
    /**
     * @description Returns the e-mail and push notifications about a direct message that a caller has received, except for those that the server has
     *     cleared. A server with this state notifies users of each unread direct message unless a rule forbids it, by e-mail after an hour at
     *     the latest, and by a push to each device of the user if the organization has a push service.
     */
    notifications: {
        /** @description Who received the message. Defaults to member. */
        of?: CallerName;
        message_id: number;
    };
    /** @description A caller has reacted to the latest message. */
    reaction: {
        /** @description Defaults to other. */
        from?: CallerName;
        /** @description With `realm_emoji`, the server creates one. Omitted with `service_extra_emoji`. */
        emoji_name?: string;
        /** @description Only with `unicode_emoji`; otherwise the server determines it. */
        emoji_code?: string;
        /** @enum {string} */
        reaction_type: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
    };
    /** @description A message is scheduled and pending. */
    "scheduled-message": {
        /** @description Defaults to member. */
        from?: CallerName;
        /** @description The name of an existing channel. Without it, `to` is needed. */
        channel?: string;
        /** @description Defaults to the empty topic. */
        topic?: string;
        /** @description The recipients of a direct message. */
        to?: CallerName[];
        /** @description Raw Markdown. */
        content: string;
        /** @description Seconds until it is due. */
        in_seconds: number;
    };
    /** @description A further user exists, besides the callers. */
    user: {
        /**
         * @description Defaults to 400, a member.
         * @enum {integer}
         */
        role?: 100 | 200 | 300 | 400 | 600;
        /** @description Defaults to a name that the server chooses. */
        full_name?: string;
    };
    /** @description There is a user to whom a caller has no access. */
    "inaccessible-user": {
        /** @description Who has no access. Defaults to member. */
        to?: CallerName;
    };
    /** @description A caller has set a status, or none. Omitted parts are unset. */
    "user-status": {
        /** @description Whose status. Defaults to other. */
        of?: CallerName;
        /** @description The user's setting of this name. Unchanged if omitted. */
        presence_enabled?: boolean;
        status_text?: string;
        /** @description With `realm_emoji`, the server creates a custom emoji of this name. Omitted with `service_extra_emoji`. */
        emoji_name?: string;
        /** @description Only with `unicode_emoji`; otherwise the server determines it. */
        emoji_code?: string;
        /** @enum {string} */
        reaction_type?: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
    };
    /** @description A caller has logged in with a browser. */
    session: {
        /** @description Defaults to member. */
        of?: CallerName;
    };
    /** @description A caller has a gravatar avatar. */
    gravatar: {
        /** @description Defaults to other. */
        of?: CallerName;
    };
    /** @description A caller has muted a user. */
    "muted-user": {
        /** @description The user who muted. Defaults to member. */
        by?: CallerName;
        /** @description The muted user. */
        user: CallerName;
    };
    /** @description A user group exists. */
    "user-group": {
        name: string;
        /** @description Defaults to no callers. */
        members?: CallerName[];
        /** @description Names of existing groups. Defaults to none. */
        subgroups?: string[];
        /** @description Realm settings whose value is this group. Defaults to none. */
        used_in_settings?: ("can_resolve_topics_group" | "can_move_messages_between_channels_group" | "can_move_messages_between_topics_group" | "can_mention_many_users_group")[];
        /** @description An existing channel whose can_remove_subscribers_group is this group. */
        used_in_channel?: string;
        /** @description Defaults to false. */
        deactivated?: boolean;
    };
    /** @description The name of a group has changed, or the group was deactivated or reactivated, perhaps while a channel uses it. */
    "user-group-changed": {
        /** @description The current name. */
        name: string;
        /** @description Unchanged if omitted. */
        new_name?: string;
        /** @description Unchanged if omitted. */
        deactivated?: boolean;
    };
    /** @description A text that mentions a group, in the syntax of the server. */
    "user-group-mention": {
        name: string;
    };
    /** @description A custom profile field exists. */
    "profile-field": {
        /** @description Defaults to a name that the server chooses. */
        name?: string;
        /** @description Defaults to 1, short text. */
        field_type?: number;
        /** @description Defaults to false. */
        display_in_profile_summary?: boolean;
    };
    /** @description The whole server lets users log in by these methods, besides its usual ones. It replaces the methods of an earlier setup. */
    "login-methods": {
        /** @description Whether users log in by LDAP, with user name and password. Defaults to false. */
        ldap?: boolean;
        /** @description Methods of external providers, in display order. Defaults to none. */
        external?: {
            name: string;
            display_name: string;
            /** @description Whether the method has an icon. Defaults to false. */
            icon?: boolean;
        }[];
    };
    /** @description A caller tries to set the value of a custom profile field in the own account, as users do, not as an administrator. */
    "own-profile-value": {
        /** @description Defaults to member. */
        by?: CallerName;
        profile_field_id: number;
        value: string;
    };
    /**
     * @description The organization has an address of its own, a subdomain of a root domain that belongs to no organization. Checks send the host of an
     *     address in `X-Forwarded-Host`, as a reverse proxy does.
     */
    "organization-address": Record<string, never>;
    /** @description The organization has a web-public channel, perhaps from a time when such channels were enabled. */
    "web-public-channel": {
        /** @description The name of the channel. The state creates it if it does not exist. */
        name: string;
        /** @description Whether web-public channels are enabled. */
        enabled: boolean;
    };
    /** @description The server was built from the source of the service, not from a fork. It replaces the build of an earlier setup. */
    build: {
        /** @description Whether the server knows its merge base. Defaults to true. */
        knows_merge_base?: boolean;
    };
    /** @description Returns the `User-Agent` of clients of which the server deems one incompatible. */
    "client-compatibility": Record<string, never>;
    /** @description A configuration that the server accepts for an external account, a custom profile field of type 7. */
    "external-account": Record<string, never>;
    /** @description A linkifier exists. */
    linkifier: {
        /** @description A regular expression. */
        pattern: string;
        /** @description An RFC 6570 URL template. */
        url_template: string;
    };
    /** @description A caller has uploaded a file, which is now an attachment. */
    attachment: {
        /** @description Who uploaded it. Defaults to member. */
        from?: CallerName;
        /** @description The name of the file. Defaults to a name that the server chooses. */
        name?: string;
        /** @description The content of the file. Defaults to a text that the server chooses. */
        text?: string;
        /** @description Whether a channel message of the uploader links to it. Defaults to false. */
        linked_in_message?: boolean;
    };
    /** @description An Android registration token of a caller is registered. */
    "android-token": {
        /** @description Defaults to member. */
        of?: CallerName;
        /** @description Defaults to a token that the server chooses. */
        token?: string;
    };
    /** @description Device tokens that the server rejects. The server determines what makes a token invalid. */
    "refused-tokens": Record<string, never>;
}

/** The values that the setup of each state returns, besides `organization` and `credentials`. */
export interface StateValues {
    organization: {
        max_topic_length?: number;
        max_message_length?: number;
        max_file_upload_size_mib?: number;
        empty_topic_display_name?: string;
        /** @description The host in dummy e-mail addresses. */
        realm_host?: string;
        /** @description A public key of the push relay, if `push_service` is on. */
        bouncer_public_key?: string;
    };
    "sole-user": Record<string, never>;
    missing: {
        message_id?: number;
        stream_id?: number;
        user_id?: number;
        user_group_id?: number;
        attachment_id?: number;
        scheduled_message_id?: number;
        filter_id?: number;
        email?: string;
        token?: string;
    };
    "limit-texts": {
        longest_topic: string;
        too_long_topic: string;
        longest_content: string;
        too_long_content: string;
        /** @description Of characters beyond the Basic Multilingual Plane. */
        longest_wide_topic?: string;
        /** @description Of characters beyond the Basic Multilingual Plane. */
        longest_wide_content?: string;
    };
    moment: {
        /** @description The time in UNIX seconds. */
        timestamp: number;
    };
    "time-passes": Record<string, never>;
    channel: {
        stream_id: number;
        /** @description The name of the channel. */
        stream?: string;
    };
    subscription: Record<string, never>;
    "muted-topic": Record<string, never>;
    "navigation-view": Record<string, never>;
    "wildcard-mentions": {
        /** @description A text with a channel wildcard mention. */
        channel_wildcard: string;
    };
    message: {
        message_id: number;
    };
    messages: {
        message_ids: number[];
        first_message_id: number;
        last_message_id: number;
    };
    "message-deleted": Record<string, never>;
    "limited-history": Record<string, never>;
    notifications: {
        mails: ({
            /** @description The address. */
            to: string;
        } & {
            [key: string]: unknown;
        })[];
        pushes: ({
            /** @enum {string} */
            token_kind: "android" | "ios";
            /** @description As in the push, if it has one. */
            push_account_id?: number;
        } & {
            [key: string]: unknown;
        })[];
    };
    reaction: {
        /** @description The id of the user who reacted. */
        user_id: number;
        emoji_name: string;
        emoji_code: string;
    };
    "scheduled-message": {
        scheduled_message_id: number;
    };
    user: {
        user_id: number;
        /** @description The real e-mail address. */
        email: string;
        /** @description The address `user{id}@{realm.host}`, for those who may not see the real one. */
        dummy_email: string;
    };
    "inaccessible-user": {
        user_id: number;
    };
    "user-status": {
        /** @description The id of the user who has the status. */
        user_id: number;
        /** @description The name of the emoji, if one is set. */
        emoji_name?: string;
        /** @description The code of the emoji, if one is set. */
        emoji_code?: string;
    };
    session: {
        /** @description The headers that the browser sends, by name: `Cookie`, and whatever the server expects against forged requests. */
        headers: {
            [key: string]: unknown;
        };
    };
    gravatar: Record<string, never>;
    "muted-user": {
        muted_user_id: number;
    };
    "user-group": {
        user_group_id: number;
    };
    "user-group-changed": {
        /** @description A text that mentions the group, in the syntax of the server. */
        mention: string;
    };
    "user-group-mention": {
        mention: string;
    };
    "profile-field": {
        profile_field_id: number;
        /** @description The `id` of the field and a valid `value` for it, as an entry of `profile_data`. */
        profile_entry: {
            [key: string]: unknown;
        };
    };
    "login-methods": {
        /** @description The key of each external method in `authentication_methods`. */
        keys: string[];
    };
    "own-profile-value": {
        /** @description Whether the server stored the value. */
        accepted: boolean;
    };
    "organization-address": {
        /** @description The host of the address. */
        host: string;
        /** @description The root domain. */
        root_host: string;
        /** @description The canonical URL of the organization. */
        realm_url: string;
    };
    "web-public-channel": Record<string, never>;
    build: {
        /** @description The number of the release, or the commit. */
        version: string;
    };
    "client-compatibility": {
        compatible: string;
        incompatible: string;
    };
    "external-account": {
        field_data: {
            [key: string]: unknown;
        };
    };
    linkifier: {
        filter_id: number;
    };
    attachment: {
        attachment_id: number;
        /** @description The path of the upload, as in the response to the upload. */
        url: string;
        path_id: string;
        /** @description The message that links to it, with `linked_in_message`. */
        message_id?: number;
    };
    "android-token": {
        token: string;
    };
    "refused-tokens": {
        /** @description Not empty. */
        token_of_invalid_length: string;
        /** @description Of valid length. */
        invalid_ios_token: string;
    };
}
