// Written by `npm run generate`. Not to be edited.

/** The name of a feature: an operation, or one of its parameters, response fields or error codes. */
export type FeatureName =
  | "ignored_parameters_unsupported"
  | "push.register"
  | "push.register.token_kind"
  | "push.register.push_account_id"
  | "push.register.push_public_key"
  | "push.register.bouncer_public_key"
  | "push.register.encrypted_push_registration"
  | "push.register.BAD_REQUEST"
  | "push.register.PUSH_SERVICE_NOT_CONFIGURED"
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
  | "subscriptions.remove.STREAM_DOES_NOT_EXIST";

/** Levels of the features that not every server has. */
export const featureLevels: Readonly<Partial<Record<FeatureName, { readonly added?: number; readonly removed?: number }>>> = {
  "ignored_parameters_unsupported": {"added":167},
  "push.register": {"added":406},
  "push.register.PUSH_SERVICE_NOT_CONFIGURED": {"added":406},
};
