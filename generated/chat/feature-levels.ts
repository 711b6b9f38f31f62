// Written by `npm run generate`. Not to be edited.

/**
 * The name of a feature: an operation, or one of its parameters, response fields or error codes. With `@level` the name of the change or
 * deprecation of the feature at that level.
 */
export type FeatureName =
  | "ignored_parameters_unsupported"
  | "attachments.delete"
  | "attachments.delete.attachment_id"
  | "attachments.delete.BAD_REQUEST"
  | "default-channels.add"
  | "default-channels.add.stream_id"
  | "default-channels.add.BAD_REQUEST"
  | "default-channels.remove"
  | "default-channels.remove.stream_id"
  | "default-channels.remove.BAD_REQUEST"
  | "messages.get"
  | "messages.get.anchor"
  | "messages.get.include_anchor"
  | "messages.get.num_before"
  | "messages.get.num_after"
  | "messages.get.narrow"
  | "messages.get.client_gravatar"
  | "messages.get.apply_markdown"
  | "messages.get.message_ids"
  | "messages.get.allow_empty_topic_name"
  | "messages.get.use_first_unread_anchor"
  | "messages.get.found_newest"
  | "messages.get.found_oldest"
  | "messages.get.found_anchor"
  | "messages.get.history_limited"
  | "messages.get.messages"
  | "messages.get.messages.avatar_url"
  | "messages.get.messages.client"
  | "messages.get.messages.content"
  | "messages.get.messages.content_type"
  | "messages.get.messages.display_recipient"
  | "messages.get.messages.edit_history"
  | "messages.get.messages.edit_history.user_id"
  | "messages.get.messages.edit_history.timestamp"
  | "messages.get.messages.edit_history.prev_content"
  | "messages.get.messages.edit_history.prev_rendered_content"
  | "messages.get.messages.edit_history.prev_stream"
  | "messages.get.messages.edit_history.prev_topic"
  | "messages.get.messages.edit_history.stream"
  | "messages.get.messages.edit_history.topic"
  | "messages.get.messages.id"
  | "messages.get.messages.is_me_message"
  | "messages.get.messages.last_edit_timestamp"
  | "messages.get.messages.last_moved_timestamp"
  | "messages.get.messages.reactions"
  | "messages.get.messages.reactions.emoji_name"
  | "messages.get.messages.reactions.emoji_code"
  | "messages.get.messages.reactions.reaction_type"
  | "messages.get.messages.reactions.user_id"
  | "messages.get.BAD_REQUEST"
  | "messages.edit"
  | "messages.edit.message_id"
  | "messages.edit.topic"
  | "messages.edit.propagate_mode"
  | "messages.edit.send_notification_to_old_thread"
  | "messages.edit.send_notification_to_new_thread"
  | "messages.edit.content"
  | "messages.edit.prev_content_sha256"
  | "messages.edit.stream_id"
  | "messages.edit.detached_uploads"
  | "messages.edit.detached_uploads.id"
  | "messages.edit.detached_uploads.name"
  | "messages.edit.detached_uploads.path_id"
  | "messages.edit.detached_uploads.size"
  | "messages.edit.detached_uploads.create_time"
  | "messages.edit.detached_uploads.messages"
  | "messages.edit.detached_uploads.messages.date_sent"
  | "messages.edit.detached_uploads.messages.id"
  | "messages.edit.BAD_REQUEST"
  | "messages.edit.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
  | "messages.edit.STREAM_WILDCARD_MENTION_NOT_ALLOWED"
  | "messages.typing"
  | "messages.typing.message_id"
  | "messages.typing.op"
  | "messages.typing.BAD_REQUEST"
  | "push.register"
  | "push.register.token_kind"
  | "push.register.push_account_id"
  | "push.register.push_public_key"
  | "push.register.bouncer_public_key"
  | "push.register.encrypted_push_registration"
  | "push.register.BAD_REQUEST"
  | "push.register.PUSH_SERVICE_NOT_CONFIGURED"
  | "navigation-views.remove"
  | "navigation-views.remove.fragment"
  | "navigation-views.remove.BAD_REQUEST"
  | "linkifiers.update"
  | "linkifiers.update.filter_id"
  | "linkifiers.update.pattern"
  | "linkifiers.update.url_template"
  | "linkifiers.update.BAD_REQUEST"
  | "profile-fields.create"
  | "profile-fields.create.name"
  | "profile-fields.create.hint"
  | "profile-fields.create.field_type"
  | "profile-fields.create.field_data"
  | "profile-fields.create.display_in_profile_summary"
  | "profile-fields.create.required"
  | "profile-fields.create.editable_by_user"
  | "profile-fields.create.id"
  | "profile-fields.create.BAD_REQUEST"
  | "reminders.create"
  | "reminders.create.message_id"
  | "reminders.create.scheduled_delivery_timestamp"
  | "reminders.create.note"
  | "reminders.create.reminder_id"
  | "reminders.create.BAD_REQUEST"
  | "scheduled-messages.delete"
  | "scheduled-messages.delete.scheduled_message_id"
  | "scheduled-messages.delete.BAD_REQUEST"
  | "server-settings.get"
  | "server-settings.get.authentication_methods"
  | "server-settings.get.authentication_methods.password"
  | "server-settings.get.authentication_methods.dev"
  | "server-settings.get.authentication_methods.email"
  | "server-settings.get.authentication_methods.ldap"
  | "server-settings.get.authentication_methods.remoteuser"
  | "server-settings.get.authentication_methods.saml"
  | "server-settings.get.authentication_methods.openid connect"
  | "server-settings.get.external_authentication_methods"
  | "server-settings.get.external_authentication_methods.name"
  | "server-settings.get.external_authentication_methods.display_name"
  | "server-settings.get.external_authentication_methods.display_icon"
  | "server-settings.get.external_authentication_methods.login_url"
  | "server-settings.get.external_authentication_methods.signup_url"
  | "server-settings.get.service_feature_level"
  | "server-settings.get.service_version"
  | "server-settings.get.service_merge_base"
  | "server-settings.get.push_notifications_enabled"
  | "server-settings.get.is_incompatible"
  | "server-settings.get.email_auth_enabled"
  | "server-settings.get.require_email_format_usernames"
  | "server-settings.get.realm_url"
  | "server-settings.get.realm_uri"
  | "server-settings.get.realm_name"
  | "server-settings.get.realm_icon"
  | "server-settings.get.realm_description"
  | "server-settings.get.realm_web_public_access_enabled"
  | "uploads.tus"
  | "uploads.tus.Tus-Resumable"
  | "uploads.tus.Upload-Length"
  | "uploads.tus.Upload-Defer-Length"
  | "uploads.tus.Upload-Metadata"
  | "uploads.tus.BAD_REQUEST"
  | "user-groups.deactivate"
  | "user-groups.deactivate.user_group_id"
  | "user-groups.deactivate.BAD_REQUEST"
  | "user-groups.deactivate.CANNOT_DEACTIVATE_GROUP_IN_USE"
  | "user-groups.update-subgroups"
  | "user-groups.update-subgroups.user_group_id"
  | "user-groups.update-subgroups.delete"
  | "user-groups.update-subgroups.add"
  | "user-groups.update-subgroups.BAD_REQUEST"
  | "uploads.create"
  | "uploads.create.file"
  | "uploads.create.url"
  | "uploads.create.uri"
  | "uploads.create.filename"
  | "uploads.create.BAD_REQUEST"
  | "users.update-by-email"
  | "users.update-by-email.email"
  | "users.update-by-email.full_name"
  | "users.update-by-email.role"
  | "users.update-by-email.profile_data"
  | "users.update-by-email.profile_data.id"
  | "users.update-by-email.profile_data.value"
  | "users.update-by-email.new_email"
  | "users.update-by-email.BAD_REQUEST"
  | "users.get-status"
  | "users.get-status.user_id"
  | "users.get-status.status"
  | "users.get-status.status.away"
  | "users.get-status.status.status_text"
  | "users.get-status.status.emoji_name"
  | "users.get-status.status.emoji_code"
  | "users.get-status.status.reaction_type"
  | "users.get-status.BAD_REQUEST"
  | "users.deactivate-own"
  | "users.deactivate-own.CANNOT_DEACTIVATE_LAST_USER"
  | "push.remove-android-token"
  | "push.remove-android-token.token"
  | "push.remove-android-token.BAD_REQUEST"
  | "push.add-ios-token"
  | "push.add-ios-token.token"
  | "push.add-ios-token.appid"
  | "push.add-ios-token.BAD_REQUEST"
  | "users.mute"
  | "users.mute.muted_user_id"
  | "users.mute.BAD_REQUEST"
  | "subscriptions.remove"
  | "subscriptions.remove.subscriptions"
  | "subscriptions.remove.principals"
  | "subscriptions.remove.removed"
  | "subscriptions.remove.not_removed"
  | "subscriptions.remove.BAD_REQUEST"
  | "subscriptions.remove.STREAM_DOES_NOT_EXIST"
  | "subscriptions.remove.UNAUTHORIZED_PRINCIPAL"
  | "topics.mute"
  | "topics.mute.stream_id"
  | "topics.mute.stream"
  | "topics.mute.topic"
  | "topics.mute.op"
  | "topics.mute.BAD_REQUEST"
  | "messages.get.num_before@300"
  | "messages.get.num_after@300"
  | "messages.edit@159"
  | "messages.edit@162"
  | "messages.edit@367"
  | "messages.edit.topic@334"
  | "messages.edit.send_notification_to_old_thread@152"
  | "messages.edit.send_notification_to_new_thread@152"
  | "messages.edit.detached_uploads.create_time@22"
  | "messages.edit.detached_uploads.messages.date_sent@22"
  | "user-groups.update-subgroups@391"
  | "uploads.create.uri@272"
  | "users.update-by-email.full_name@106"
  | "push.add-ios-token@406"
  | "push.add-ios-token@223"
  | "users.mute.muted_user_id@188"
  | "topics.mute@169"
  | "topics.mute@170"
  | "topics.mute.topic@334";

/** Levels of the features that not every server has. */
export const featureLevels: Readonly<Partial<Record<FeatureName, { readonly added?: number; readonly removed?: number }>>> = {
  "ignored_parameters_unsupported": {"added":167},
  "messages.get.message_ids": {"added":300},
  "messages.get.allow_empty_topic_name": {"added":334},
  "messages.get.messages.last_moved_timestamp": {"added":365},
  "messages.edit.send_notification_to_old_thread": {"added":9},
  "messages.edit.send_notification_to_new_thread": {"added":9},
  "messages.edit.prev_content_sha256": {"added":379},
  "messages.edit.stream_id": {"added":1},
  "messages.edit.detached_uploads": {"added":285},
  "messages.edit.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED": {"added":172},
  "messages.edit.STREAM_WILDCARD_MENTION_NOT_ALLOWED": {"added":229},
  "messages.typing": {"added":361},
  "push.register": {"added":406},
  "push.register.PUSH_SERVICE_NOT_CONFIGURED": {"added":406},
  "navigation-views.remove": {"added":390},
  "profile-fields.create.editable_by_user": {"added":296},
  "reminders.create": {"added":381},
  "reminders.create.note": {"added":415},
  "uploads.tus": {"added":296},
  "user-groups.deactivate.CANNOT_DEACTIVATE_GROUP_IN_USE": {"added":298},
  "uploads.create.url": {"added":272},
  "uploads.create.filename": {"added":285},
  "subscriptions.remove.UNAUTHORIZED_PRINCIPAL": {"removed":208},
};

/** The names of all changes and deprecations. They are apart from `featureLevels`, because the level is in the name. */
export const featureChanges: readonly FeatureName[] = [
  "messages.get.num_before@300",
  "messages.get.num_after@300",
  "messages.edit@159",
  "messages.edit@162",
  "messages.edit@367",
  "messages.edit.topic@334",
  "messages.edit.send_notification_to_old_thread@152",
  "messages.edit.send_notification_to_new_thread@152",
  "messages.edit.detached_uploads.create_time@22",
  "messages.edit.detached_uploads.messages.date_sent@22",
  "user-groups.update-subgroups@391",
  "uploads.create.uri@272",
  "users.update-by-email.full_name@106",
  "push.add-ios-token@406",
  "push.add-ios-token@223",
  "users.mute.muted_user_id@188",
  "topics.mute@169",
  "topics.mute@170",
  "topics.mute.topic@334"
];
