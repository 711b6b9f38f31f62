// Written by `npm run generate`. Not to be edited.

/**
 * Stands for an error code that the contract does not name. It is a type of its own, so that comparing `code` with a documented
 * code narrows an error; at run time it is a string, and is compared as `String(error.code)`.
 */
export declare enum UnknownErrorCode {
  Undocumented = "a code that the contract does not name",
}

export interface paths {
    "/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description Deletes an uploaded file.
         */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/default_streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a default channel
         * @description Makes a channel a default channel of the organization. Organization administrators only.
         */
        post: operations["addDefaultChannel"];
        /**
         * Remove a default channel
         * @description Removes a channel from the default channels of the organization. Organization administrators only.
         */
        delete: operations["removeDefaultChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get messages
         * @description Returns messages that match a narrow, in the order of their ids: those of a range (`anchor` with `num_before` and `num_after`)
         *     or of a list of ids (`message_ids`).
         */
        get: operations["getMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a message
         * @description Changes the content of a message, or moves the message, and with `propagate_mode` further messages of its topic, to another
         *     topic or channel.
         */
        patch: operations["editMessage"];
        trace?: never;
    };
    "/messages/{message_id}/typing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the typing status for editing
         * @description Tells others that the caller starts or stops typing while editing a message.
         */
        post: operations["setEditTypingStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mobile_push/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a device for encrypted push notifications
         * @description Registers a device whose push notifications are encrypted end to end.
         */
        post: operations["registerPushDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/navigation_views/{fragment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a navigation view
         * @description Removes a view of the navigation bar.
         */
        delete: operations["removeNavigationView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realm/filters/{filter_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a linkifier
         * @description Gives a linkifier another pattern and another URL template.
         */
        patch: operations["updateLinkifier"];
        trace?: never;
    };
    "/realm/profile_fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a custom profile field
         * @description Adds a field to the profiles of the users of the organization. Organization administrators only.
         */
        post: operations["createProfileField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reminders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a reminder
         * @description Creates a reminder, which a message of the notification bot delivers.
         */
        post: operations["createReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduled_messages/{scheduled_message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a scheduled message
         * @description Cancels a message that is scheduled and still pending.
         */
        delete: operations["deleteScheduledMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get server settings
         * @description Returns what a client needs before it logs in. Needs no authentication.
         */
        get: operations["getServerSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a resumable upload
         * @description Starts an upload with the tus protocol. The contract recommends its version 1.0.0 with the extension Creation: the response
         *     names the URL to which the client then sends the file by this protocol.
         *
         *     Accepts the credentials of other operations, or a session cookie.
         */
        post: operations["createResumableUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user_groups/{user_group_id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a user group
         * @description Deactivates a user group, unless a setting or another group uses it. Mentions and permissions cannot use a deactivated group,
         *     but it can be renamed and reactivated.
         */
        post: operations["deactivateUserGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user_groups/{user_group_id}/subgroups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update the subgroups of a user group
         * @description Removes groups from the subgroups of a user group and adds others.
         */
        post: operations["updateSubgroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user_uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description Uploads one file. Until a message shares the link, nobody but the uploader can open it.
         *
         *     To write a Markdown link to the upload, drop the square brackets in `filename` and insert it into `[filename](url)`. Use
         *     `POST /tus` for files of 25 MB and more, as this request may time out.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a user by e-mail address
         * @description Changes the name, the role, the custom profile fields or the e-mail address of a user. Organization administrators only.
         */
        patch: operations["updateUserByEmail"];
        trace?: never;
    };
    "/users/{user_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a user
         * @description Returns the status text and emoji that a user has set.
         */
        get: operations["getUserStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deactivate the caller
         * @description Deactivates the account of the caller.
         */
        delete: operations["deactivateOwnUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/android_reg_id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an Android registration token
         * @description Removes the registration of an Android device of the caller.
         */
        delete: operations["removeAndroidToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/ios_device_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an iOS device token
         * @deprecated
         * @description Registers an iOS device of the caller for push notifications.
         */
        post: operations["addIosDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/muted_users/{muted_user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mute a user
         * @description Mutes a user for the caller. Messages from the muted user are marked as read for the caller.
         */
        post: operations["muteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unsubscribe from channels
         * @description Removes the caller, or the users named by `principals`, from channels.
         */
        delete: operations["unsubscribe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/subscriptions/muted_topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mute or unmute a topic
         * @deprecated
         * @description Mutes a topic of a channel for the caller, or unmutes it.
         */
        patch: operations["updateMutedTopic"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int64
         * @description The id of an attachment.
         */
        AttachmentId: number;
        /**
         * @description The error codes that this contract defines.
         * @enum {string}
         */
        DocumentedErrorCode: "BAD_REQUEST" | "UNAUTHORIZED" | "UNAUTHORIZED_PRINCIPAL" | "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED" | "STREAM_WILDCARD_MENTION_NOT_ALLOWED" | "STREAM_DOES_NOT_EXIST" | "PUSH_SERVICE_NOT_CONFIGURED" | "CANNOT_DEACTIVATE_LAST_USER" | "CANNOT_DEACTIVATE_GROUP_IN_USE";
        /** @description An object with an error code that this contract defines. */
        HasDocumentedCode: {
            code: components["schemas"]["DocumentedErrorCode"];
        };
        /**
         * @description Says that the request failed.
         * @constant
         */
        ErrorResult: "error";
        /** @description A text for people that says what went wrong. Its wording is not part of the contract. */
        ErrorMessage: string;
        /** @description A generic failure, such as an invalid id, a missing permission or a repeated action. */
        BadRequestError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "BAD_REQUEST";
        };
        /** @description A use of a user group that prevents its deactivation. */
        Objection: {
            /** @description What uses the group. `realm` is the organization; the requirements show no other value. */
            type: string;
            /** @description The names of the settings that use the group. */
            settings: string[];
        };
        /** @description A setting uses the user group, or another group has it as a subgroup. */
        CannotDeactivateGroupInUseError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "CANNOT_DEACTIVATE_GROUP_IN_USE";
            /** @description What uses the group. */
            objections: components["schemas"]["Objection"][];
        };
        /** @description The caller is the only owner or the only user of the organization. */
        CannotDeactivateLastUserError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "CANNOT_DEACTIVATE_LAST_USER";
            /** @description The role that would be left without users, owner or user. */
            entity: string;
            /** @description Whether the caller is the last owner rather than the last user. */
            is_last_owner: boolean;
        };
        /**
         * Format: int64
         * @description The id of a message.
         */
        MessageId: number;
        /**
         * @description The time limit forbids the move. With `change_all`, it allows the caller to move the message, but forbids part of the topic; a
         *     client may retry with `change_later` from the message `first_message_id_allowed_to_move`.
         */
        MoveMessagesTimeLimitExceededError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED";
            /** @description The first message of the topic that the caller may still move. Clients must tolerate null. */
            first_message_id_allowed_to_move: components["schemas"]["MessageId"] | null;
            /**
             * @description The number of messages in the topic. If a private channel protects its history, messages that are inaccessible to the caller
             *     do not count.
             */
            total_messages_in_topic: number;
            /**
             * @description The number of messages in the topic that the caller may move. If a private channel protects its history, messages that are
             *     inaccessible to the caller do not count.
             */
            total_messages_allowed_to_move: number;
        };
        /** @description The server has no push service. */
        PushServiceNotConfiguredError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "PUSH_SERVICE_NOT_CONFIGURED";
        };
        /** @description A channel named in the request does not exist. */
        StreamDoesNotExistError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "STREAM_DOES_NOT_EXIST";
            /** @description The name of the unknown channel. */
            stream: string;
        };
        /**
         * @description The message has a channel wildcard mention in a channel with many subscribers, and can_mention_many_users_group does not
         *     include the caller.
         */
        StreamWildcardMentionNotAllowedError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED";
        };
        /** @description The caller is not logged in. */
        UnauthorizedError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "UNAUTHORIZED";
        };
        /** @description A principal is an unknown or deactivated user. From feature level 208, the code is BAD_REQUEST. */
        UnauthorizedPrincipalError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "UNAUTHORIZED_PRINCIPAL";
        };
        /** @description An error with a code that this contract defines. */
        DocumentedError: components["schemas"]["BadRequestError"] | components["schemas"]["CannotDeactivateGroupInUseError"] | components["schemas"]["CannotDeactivateLastUserError"] | components["schemas"]["MoveMessagesTimeLimitExceededError"] | components["schemas"]["PushServiceNotConfiguredError"] | components["schemas"]["StreamDoesNotExistError"] | components["schemas"]["StreamWildcardMentionNotAllowedError"] | components["schemas"]["UnauthorizedError"] | components["schemas"]["UnauthorizedPrincipalError"];
        /** @description An error whose code this contract does not name, or a documented error under another status or of another operation. The set of codes is open. */
        OtherError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * Format: unknown-error-code
             * @description Any code. With a documented code, the error has the fields of that code.
             */
            code: UnknownErrorCode;
        };
        /**
         * @description Says that the request succeeded.
         * @constant
         */
        SuccessResult: "success";
        /**
         * @description Empty on success.
         * @constant
         */
        SuccessMessage: "";
        /** @description The parameters of the request that this operation does not support. Present if there are any. */
        IgnoredParametersUnsupported: string[];
        /** @description The request succeeded. */
        Success: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /**
         * Format: int64
         * @description The id of a channel.
         */
        StreamId: number;
        /** @description Which channel becomes a default channel, or stops being one. */
        DefaultChannelRequest: {
            stream_id: components["schemas"]["StreamId"];
        };
        /**
         * @description The `newest` or `oldest` message that matches the narrow; `first_unread` is the oldest unread one, or the most recent message
         *     if none is unread.
         * @enum {string}
         */
        AnchorPosition: "newest" | "oldest" | "first_unread";
        /** @description One condition that messages must meet. */
        NarrowFilter: {
            /** @description What the condition is about. */
            operator: string;
            /** @description The value to which the operator applies. */
            operand: unknown;
        };
        /**
         * @description The form of `content`, which follows `apply_markdown`.
         * @enum {string}
         */
        ContentType: "text/html" | "text/x-markdown";
        /** @description A user who receives a direct message. */
        Recipient: Record<string, never>;
        /**
         * Format: int64
         * @description The id of a user.
         */
        UserId: number;
        /** @description One edit or move of a message. A field after `timestamp` is present only if the edit changed that aspect. */
        EditHistoryEntry: {
            /** @description The user who made the edit. Entries from March 2017 on always name one; older ones may have null. */
            user_id: components["schemas"]["UserId"] | null;
            /** @description When the edit was made, in UNIX seconds. */
            timestamp: number;
            /** @description The content before the edit. */
            prev_content?: string;
            /** @description The rendered content before the edit. */
            prev_rendered_content?: string;
            /**
             * Format: int64
             * @description The id of the channel before the edit.
             */
            prev_stream?: number;
            /** @description The topic before the edit. */
            prev_topic?: string;
            /**
             * Format: int64
             * @description The id of the channel after the edit.
             */
            stream?: number;
            /** @description The topic after the edit. */
            topic?: string;
        };
        /**
         * @description The namespace of an emoji, which determines its `emoji_code`: code points in hex, joined by dashes (`unicode_emoji`), the id of
         *     the custom emoji (`realm_emoji`) or the name of the emoji (`service_extra_emoji`).
         * @enum {string}
         */
        ReactionType: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
        /** @description The reaction of a user to a message. */
        Reaction: {
            /** @description The name of the emoji. */
            emoji_name: string;
            /** @description Identifies the emoji within `reaction_type`. */
            emoji_code: string;
            reaction_type: components["schemas"]["ReactionType"];
            user_id: components["schemas"]["UserId"];
        };
        /** @description A message as the caller sees it. */
        Message: {
            /**
             * @description The URL of the sender's avatar. It may be null if `client_gravatar` is true and the sender's real e-mail address is visible to
             *     the caller.
             */
            avatar_url: string | null;
            /** @description The client that the message was sent with. */
            client: string;
            /** @description The content, as rendered HTML or as raw Markdown. */
            content: string;
            content_type: components["schemas"]["ContentType"];
            /** @description The name of the channel, or the users who receive the direct message. */
            display_recipient: string | components["schemas"]["Recipient"][];
            /**
             * @description The edits and moves of the message, the newest first. Absent if the message was never edited or moved, or if viewing the
             *     history is disallowed.
             */
            edit_history?: components["schemas"]["EditHistoryEntry"][];
            id: components["schemas"]["MessageId"];
            /** @description Whether the message is a me-message. */
            is_me_message: boolean;
            /** @description When the content was last edited, in UTC seconds. Absent if it was never edited. */
            last_edit_timestamp?: number;
            /**
             * @description When the message was last moved, in UTC seconds. Absent if it was never moved; resolving or unresolving its topic does not
             *     count.
             */
            last_moved_timestamp?: number;
            /** @description The reactions of users to the message. */
            reactions: components["schemas"]["Reaction"][];
        };
        /** @description The requested messages. */
        GetMessagesSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            /**
             * Format: int64
             * @description The requested anchor, or the id that the server computed for it. Absent with `message_ids`.
             */
            anchor?: number;
            /** @description Whether the list reaches the newest match. */
            found_newest: boolean;
            /** @description Whether the list reaches the oldest match. */
            found_oldest: boolean;
            /** @description Whether the anchor message is in the response. */
            found_anchor: boolean;
            /** @description Whether the plan of the organization hides older messages. True only if the list reaches the oldest match. */
            history_limited?: boolean;
            /** @description The messages, sorted by id. */
            messages: components["schemas"]["Message"][];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /**
         * @description Which messages of the topic change: the message itself (`change_one`), also every later one (`change_later`), or all
         *     (`change_all`). An edit of the content alone allows no value but `change_one`.
         * @default change_one
         * @enum {string}
         */
        PropagateMode: "change_one" | "change_later" | "change_all";
        /** @description What to change about the message, and about the messages of its topic. */
        EditMessageRequest: {
            /**
             * @description The new topic, of at most max_topic_length. Messages outside channels cannot have one. The empty topic is written as the empty
             *     string or as the display name that the realm gives it. If the realm requires topics, it is rejected, and so is `(no topic)`.
             */
            topic?: string;
            propagate_mode?: components["schemas"]["PropagateMode"];
            /**
             * @description Whether the old topic gets an automated message.
             * @default false
             */
            send_notification_to_old_thread?: boolean;
            /**
             * @description Whether the new topic gets an automated message.
             * @default true
             */
            send_notification_to_new_thread?: boolean;
            /** @description The new content, of at most max_message_length. Not together with `stream_id`. */
            content?: string;
            /**
             * @description SHA-256 of the raw content that the client last saw, as hex digits. The server rejects the edit if the stored content has
             *     another digest, so that concurrent edits do not overwrite each other.
             */
            prev_content_sha256?: string;
            /**
             * Format: int64
             * @description The id of the channel that the message moves to. It must be in a channel already. Not together with `content`.
             */
            stream_id?: number;
        };
        /** @description A message that links to an attachment. */
        AttachmentMessage: {
            /** @description When the message was sent, in UNIX seconds times 1000. */
            date_sent: number;
            id: components["schemas"]["MessageId"];
        };
        /** @description A file that a user has uploaded. */
        Attachment: {
            id: components["schemas"]["AttachmentId"];
            /** @description The name of the file. */
            name: string;
            /** @description The path id of the file. */
            path_id: string;
            /** @description The size in bytes. */
            size: number;
            /** @description When the file was uploaded, in UNIX seconds times 1000. */
            create_time: number;
            /** @description The messages that link to the file. */
            messages: components["schemas"]["AttachmentMessage"][];
        };
        /** @description The message was edited. */
        EditMessageSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            /** @description The files that lost their last reference through the edit; empty if there are none. */
            detached_uploads: components["schemas"]["Attachment"][];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description Whether the caller is editing. */
        SetEditTypingStatusRequest: {
            /**
             * @description Whether the caller starts or stops typing.
             * @enum {string}
             */
            op: "start" | "stop";
        };
        /**
         * @description The kind of push provider that issued the token.
         * @enum {string}
         */
        PushTokenKind: "android" | "ios";
        /**
         * Format: int64
         * @description A random number that the client generates, unique in its table of accounts. Every push carries it.
         */
        PushAccountId: number;
        /** @description The device to register. */
        RegisterPushDeviceRequest: {
            token_kind: components["schemas"]["PushTokenKind"];
            push_account_id: components["schemas"]["PushAccountId"];
            /** @description The public key of a NaCl key pair, in the standard base64 of RFC 4648. */
            push_public_key: string;
            /** @description The public key of the push relay with which the client encrypted the registration. */
            bouncer_public_key: string;
            /**
             * @description The registration as JSON text, encrypted with the public key of the relay and encoded in the standard base64 of RFC 4648. The
             *     JSON object has `token`, `token_kind` and `timestamp`; that of an iOS device also has `ios_app_id`.
             */
            encrypted_push_registration: string;
        };
        /** @description The unique URL hash of a navigation view. It may contain slashes. */
        NavigationViewFragment: string;
        /**
         * Format: int64
         * @description The id of a linkifier.
         */
        LinkifierId: number;
        /** @description What the linkifier links, and to where. */
        UpdateLinkifierRequest: {
            /** @description A regular expression, which may use named groups. */
            pattern: string;
            /** @description An RFC 6570 URL template. Named groups of the pattern are inserted as `{group_name}`. */
            url_template: string;
        };
        /**
         * @description The kind of a custom profile field: short text (1), long text (2), list of options (3), date picker (4), link (5), person
         *     picker (6), external account (7) or pronouns (8).
         * @enum {integer}
         */
        ProfileFieldType: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
        /** @description One choice of a list of options. */
        ProfileFieldChoice: {
            /** @description The text of the choice. */
            text: string;
            /** @description The place of the choice in the list. */
            order: string;
        };
        /** @description The choices of a list of options (field type 3), keyed by the id of the choice. */
        ProfileFieldChoices: {
            [key: string]: components["schemas"]["ProfileFieldChoice"];
        };
        /** @description The configuration of an external account (field type 7). It is not stable; its keys are the server's own. */
        ExternalAccountConfiguration: Record<string, never>;
        /** @description The field to create. */
        CreateProfileFieldRequest: {
            /** @description The name of the field. */
            name?: string;
            /** @description A hint that helps users to fill in the field. */
            hint?: string;
            field_type: components["schemas"]["ProfileFieldType"];
            /** @description The choices of a list of options, or the configuration of an external account. */
            field_data?: components["schemas"]["ProfileFieldChoices"] | components["schemas"]["ExternalAccountConfiguration"];
            /**
             * @description Whether the profile summary shows the field. An organization has at most 2 such fields. Long text is not allowed here, and
             *     the person picker is not supported.
             */
            display_in_profile_summary?: boolean;
            /** @description Whether users must fill in the field. Even so, some users may have no value for it. */
            required?: boolean;
            /** @description Whether regular users may edit their own value of the field. Administrators may edit it in any case. */
            editable_by_user?: boolean;
        };
        /**
         * Format: int64
         * @description The id of a custom profile field.
         */
        ProfileFieldId: number;
        /** @description The custom profile field was created. */
        CreateProfileFieldSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            id: components["schemas"]["ProfileFieldId"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description What to be reminded of, and when. */
        CreateReminderRequest: {
            message_id?: components["schemas"]["MessageId"];
            /** @description When to deliver the reminder, as a UNIX timestamp in UTC seconds. */
            scheduled_delivery_timestamp?: number;
            /** @description A text that the message of the notification bot shows. */
            note?: string;
        };
        /**
         * Format: int64
         * @description The id of a reminder.
         */
        ReminderId: number;
        /** @description The reminder was created. */
        CreateReminderSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            reminder_id: components["schemas"]["ReminderId"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /**
         * Format: int64
         * @description The id of a scheduled message. It differs from the id that the message gets once it is sent.
         */
        ScheduledMessageId: number;
        /**
         * @deprecated
         * @description Which authentication methods are enabled, by name. Each external provider has a further key: the accounts of two code hosts, a
         *     cloud directory, a device maker and a web search company.
         */
        AuthenticationMethods: {
            /** @description Whether the method `password` is enabled. */
            password?: boolean;
            /** @description Whether the method `dev` is enabled. */
            dev?: boolean;
            /** @description Whether the method `email` is enabled. */
            email?: boolean;
            /** @description Whether the method `ldap` is enabled. */
            ldap?: boolean;
            /** @description Whether the method `remoteuser` is enabled. */
            remoteuser?: boolean;
            /** @description Whether the method `saml` is enabled. */
            saml?: boolean;
            /** @description Whether the method `openid connect` is enabled. */
            "openid connect"?: boolean;
        } & {
            [key: string]: boolean;
        };
        /** @description An authentication method of an external provider. */
        ExternalAuthenticationMethod: {
            /** @description Identifies the method. */
            name: string;
            /** @description The name to show to users. */
            display_name: string;
            /** @description The URL of an icon, relative to the base URL. Null if the method has none. */
            display_icon: string | null;
            /** @description Where the login begins. */
            login_url: string;
            /** @description Where the registration of a new user begins. */
            signup_url: string;
        };
        /**
         * @description What a client may know about a server before it logs in. Only `result` and `msg` are certain: older servers lack some of the
         *     other fields, and a server with several subdomains omits those of the realm on its root domain.
         */
        GetServerSettingsSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            authentication_methods?: components["schemas"]["AuthenticationMethods"];
            /** @description The methods of external providers, in display order. */
            external_authentication_methods?: components["schemas"]["ExternalAuthenticationMethod"][];
            /**
             * @description The feature level. At level N, the server has every feature from before level N; this contract recommends that it also has those
             *     of level N itself. Absent means 0.
             */
            service_feature_level?: number;
            /** @description A release number or a commit reference. */
            service_version?: string;
            /** @description Equals `service_version` if the server is not a fork. Empty if unavailable. */
            service_merge_base?: string;
            /** @description Whether push notifications are enabled. */
            push_notifications_enabled?: boolean;
            /** @description Whether the server considers the calling client incompatible. */
            is_incompatible?: boolean;
            /** @description Whether login by e-mail address is enabled. */
            email_auth_enabled?: boolean;
            /** @description Whether user names must be e-mail addresses. False if LDAP accepts user names and passwords. */
            require_email_format_usernames?: boolean;
            /** @description The canonical URL of the organization. */
            realm_url?: string;
            /**
             * @deprecated
             * @description The value of `realm_url`, which replaces this field.
             */
            realm_uri?: string;
            /** @description The name of the organization. */
            realm_name?: string;
            /** @description The URL of a square logo. */
            realm_icon?: string;
            /** @description The description of the organization, in HTML. */
            realm_description?: string;
            /** @description Whether the realm has a web-public channel and allows such channels. */
            realm_web_public_access_enabled?: boolean;
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /**
         * Format: int64
         * @description The id of a user group.
         */
        UserGroupId: number;
        /** @description Which groups to remove from the subgroups, and which to add. */
        UpdateSubgroupsRequest: {
            /** @description The groups to remove. */
            delete?: components["schemas"]["UserGroupId"][];
            /** @description The groups to add. */
            add?: components["schemas"]["UserGroupId"][];
        };
        /** @description The file to upload. */
        UploadFileRequest: {
            /**
             * Format: binary
             * @description The file, with its name and media type.
             */
            file: Blob;
        };
        /** @description The location and name of the uploaded file. */
        UploadFileSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            /** @description The path of the upload. */
            url: string;
            /**
             * @deprecated
             * @description The value of `url`, which replaces this field.
             */
            uri: string;
            /** @description The name under which the file was stored. It may differ from the last segment of `url`. */
            filename: string;
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description The e-mail address of a user. */
        EmailAddress: string;
        /**
         * @description The role of a user: owner (100), administrator (200), moderator (300), member (400) or guest (600).
         * @enum {integer}
         */
        Role: 100 | 200 | 300 | 400 | 600;
        /** @description The value of one custom profile field. */
        ProfileFieldValue: {
            id: components["schemas"]["ProfileFieldId"];
            /** @description The value of the field. */
            value: string;
        };
        /** @description What to change about the user. */
        UpdateUserByEmailRequest: {
            /** @description The new full name. */
            full_name?: string;
            role?: components["schemas"]["Role"];
            /** @description New values of custom profile fields. */
            profile_data?: components["schemas"]["ProfileFieldValue"][];
            new_email?: components["schemas"]["EmailAddress"];
        };
        /** @description The status of a user, with a key for each part that is set. A user without a status has an empty object. */
        UserStatus: {
            /** @description Whether presence_enabled is off in the settings of the user. A legacy key. */
            away?: boolean;
            /** @description What the user says about the status. */
            status_text?: string;
            /** @description The name of the emoji. */
            emoji_name?: string;
            /** @description Identifies the emoji within `reaction_type`. */
            emoji_code?: string;
            reaction_type?: components["schemas"]["ReactionType"];
        };
        /** @description The status of the user. */
        GetUserStatusSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            status: components["schemas"]["UserStatus"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description The token that a push provider gave to a device. */
        DeviceToken: string;
        /** @description The token to remove. */
        RemoveAndroidTokenRequest: {
            token: components["schemas"]["DeviceToken"];
        };
        /** @description The token to add. */
        AddIosDeviceTokenRequest: {
            token: components["schemas"]["DeviceToken"];
            /** @description The id of the calling app. */
            appid: string;
        };
        /** @description The channels, and the users to unsubscribe from them. */
        UnsubscribeRequest: {
            /** @description The names of the channels to unsubscribe from. */
            subscriptions: string[];
            /** @description The users to unsubscribe, by id (preferred) or by e-mail address. Defaults to the caller. */
            principals?: components["schemas"]["UserId"][] | components["schemas"]["EmailAddress"][];
        };
        /** @description The channels that were left, and those that were not subscribed to before. */
        UnsubscribeSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            /** @description The channels that the users were unsubscribed from. */
            removed: string[];
            /** @description The channels to which the users were not subscribed. */
            not_removed: string[];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description Which topic to mute or unmute. One of `stream_id` and `stream` is needed; both together are invalid. */
        UpdateMutedTopicRequest: {
            stream_id?: components["schemas"]["StreamId"];
            /** @description The name of the channel. Prefer `stream_id`. */
            stream?: string;
            /** @description The topic, of at most max_topic_length. It need not have messages. */
            topic: string;
            /**
             * @description Whether to mute or to unmute the topic.
             * @enum {string}
             */
            op: "add" | "remove";
        };
    };
    responses: {
        /** @description Any other failure, in the same envelope. Statuses and codes beyond those above are not fixed by this contract. */
        OtherError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherError"];
            };
        };
        /** @description The request carried no valid credentials. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"] | components["schemas"]["OtherError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    deleteAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The attachment to delete. */
                attachment_id: components["schemas"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    addDefaultChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["DefaultChannelRequest"];
            };
        };
        responses: {
            /** @description The channel is a default channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    removeDefaultChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["DefaultChannelRequest"];
            };
        };
        responses: {
            /** @description The channel is not a default channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getMessages: {
        parameters: {
            query?: {
                /** @description The message to start from, by its id or by its position. */
                anchor?: components["schemas"]["MessageId"] | components["schemas"]["AnchorPosition"];
                /** @description Whether the anchor message is included. */
                include_anchor?: boolean;
                /** @description The maximum number of messages before the anchor. Required without `message_ids`. */
                num_before?: number;
                /** @description The maximum number of messages after the anchor. Required without `message_ids`. */
                num_after?: number;
                /**
                 * @description Conditions that the messages must meet. The search covers the caller's personal history unless a condition has a channel
                 *     operator; `channels` with the operand `public` covers all public channels.
                 */
                narrow?: (components["schemas"]["NarrowFilter"] | string[])[];
                /** @description Whether the server leaves gravatar avatars to the client, with null as `avatar_url`. */
                client_gravatar?: boolean;
                /** @description Whether content is returned as rendered HTML rather than as raw Markdown. */
                apply_markdown?: boolean;
                /**
                 * @description The ids of the messages to return. Cannot be combined with the parameters of a range: `anchor`, `use_first_unread_anchor`,
                 *     `include_anchor`, `num_before` and `num_after`.
                 */
                message_ids?: components["schemas"]["MessageId"][];
                /** @description Whether the response shows the empty topic as the empty string. If false, it shows the realm's display name for it. */
                allow_empty_topic_name?: boolean;
                /**
                 * @deprecated
                 * @description An alias for the anchor `first_unread`. Cannot be combined with `anchor`.
                 */
                use_first_unread_anchor?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMessagesSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    editMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The target message. */
                message_id: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["EditMessageRequest"];
            };
        };
        responses: {
            /** @description The message was edited. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditMessageSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["MoveMessagesTimeLimitExceededError"] | components["schemas"]["StreamWildcardMentionNotAllowedError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    setEditTypingStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message that is edited. */
                message_id: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SetEditTypingStatusRequest"];
            };
        };
        responses: {
            /** @description The status was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    registerPushDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RegisterPushDeviceRequest"];
            };
        };
        responses: {
            /** @description The registration was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["PushServiceNotConfiguredError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    removeNavigationView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique URL hash that identifies the view. */
                fragment: components["schemas"]["NavigationViewFragment"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    updateLinkifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The linkifier to update. */
                filter_id: components["schemas"]["LinkifierId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UpdateLinkifierRequest"];
            };
        };
        responses: {
            /** @description The linkifier was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    createProfileField: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CreateProfileFieldRequest"];
            };
        };
        responses: {
            /** @description The custom profile field was created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateProfileFieldSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    createReminder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CreateReminderRequest"];
            };
        };
        responses: {
            /** @description The reminder was created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateReminderSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteScheduledMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The scheduled message. */
                scheduled_message_id: components["schemas"]["ScheduledMessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message was cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getServerSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings of the server and of the organization at this address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetServerSettingsSuccess"];
                };
            };
            400: components["responses"]["OtherError"];
            default: components["responses"]["OtherError"];
        };
    };
    createResumableUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version of the protocol that the client uses. */
                "Tus-Resumable"?: string;
                /** @description The size of the whole upload in bytes. Omitted if it is not known yet. */
                "Upload-Length"?: number;
                /** @description Sent instead of `Upload-Length`, to a server with the extension creation-defer-length. */
                "Upload-Defer-Length"?: 1;
                /**
                 * @description Further data as pairs separated by commas. A pair is a key, a space and a value in base64. If the value is empty, the space
                 *     may be omitted. Keys are unique.
                 */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload was created. */
            201: {
                headers: {
                    /** @description The version of the protocol that the server uses. */
                    "Tus-Resumable"?: string;
                    /** @description The URL of the new upload, absolute or relative. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    /** @description The version of the protocol that the server uses. */
                    "Tus-Resumable"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The server does not support this version of the protocol. It did not process the request. */
            412: {
                headers: {
                    /** @description The version of the protocol that the server uses. */
                    "Tus-Resumable"?: string;
                    /** @description The versions that the server supports, separated by commas, in order of preference. */
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The length of the upload exceeds the maximum. */
            413: {
                headers: {
                    /** @description The version of the protocol that the server uses. */
                    "Tus-Resumable"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["OtherError"];
        };
    };
    deactivateUserGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group to deactivate. */
                user_group_id: components["schemas"]["UserGroupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group was deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["CannotDeactivateGroupInUseError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    updateSubgroups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group whose subgroups to change. */
                user_group_id: components["schemas"]["UserGroupId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UpdateSubgroupsRequest"];
            };
        };
        responses: {
            /** @description The subgroups were changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadFileRequest"];
            };
        };
        responses: {
            /** @description The file was stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadFileSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    updateUserByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The e-mail address of the user: the real one, or the dummy address `user{id}@{realm.host}` if the caller may not see the
                 *     real one.
                 */
                email: components["schemas"]["EmailAddress"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UpdateUserByEmailRequest"];
            };
        };
        responses: {
            /** @description The user was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getUserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user. */
                user_id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUserStatusSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    deactivateOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account was deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CannotDeactivateLastUserError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    removeAndroidToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RemoveAndroidTokenRequest"];
            };
        };
        responses: {
            /** @description The token was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    addIosDeviceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AddIosDeviceTokenRequest"];
            };
        };
        responses: {
            /** @description The token was added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    muteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user to mute. */
                muted_user_id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is muted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UnsubscribeRequest"];
            };
        };
        responses: {
            /** @description The channels that were left, and those that were not subscribed to before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsubscribeSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["StreamDoesNotExistError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A principal is an unknown or deactivated user. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthorizedPrincipalError"] | components["schemas"]["OtherError"];
                };
            };
            default: components["responses"]["OtherError"];
        };
    };
    updateMutedTopic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UpdateMutedTopicRequest"];
            };
        };
        responses: {
            /** @description The topic is muted or unmuted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
}
