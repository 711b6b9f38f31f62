/** The settings of an organization whose value is a group. */
export const realmGroupSettings = [
  "can_resolve_topics_group",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_mention_many_users_group",
  "can_change_user_emails",
  "real_emails_visible_to",
] as const;
