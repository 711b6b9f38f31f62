// Written by `npm run generate`. Not to be edited.

/**
 * The levels of an operation and its parameters, and those at which a parameter is required. Omitted levels mean always
 * present, and never required.
 */
export interface RequestLevels {
  readonly added?: number;
  readonly removed?: number;
  readonly parameters: Readonly<
    Record<string, { readonly added?: number; readonly removed?: number; readonly requiredFrom?: number; readonly requiredUntil?: number }>
  >;
}

/** The highest level that the contract describes. */
export const newestLevel = 415;

/** The feature levels of the operations and of their parameters, by operationId. */
export const requestLevels: Readonly<Record<string, RequestLevels>> = {
  deleteAttachment: {"parameters":{"attachment_id":{"requiredFrom":0}}},
  addDefaultChannel: {"parameters":{"stream_id":{"requiredFrom":0}}},
  removeDefaultChannel: {"parameters":{"stream_id":{"requiredFrom":0}}},
  getMessages: {"parameters":{"num_before":{"requiredFrom":0,"requiredUntil":300},"num_after":{"requiredFrom":0,"requiredUntil":300},"message_ids":{"added":300},"allow_empty_topic_name":{"added":334}}},
  editMessage: {"parameters":{"message_id":{"requiredFrom":0},"send_notification_to_old_thread":{"added":9},"send_notification_to_new_thread":{"added":9},"prev_content_sha256":{"added":379},"stream_id":{"added":1}}},
  setEditTypingStatus: {"added":361,"parameters":{"message_id":{"requiredFrom":361},"op":{"requiredFrom":361}}},
  registerPushDevice: {"added":406,"parameters":{"token_kind":{"requiredFrom":406},"push_account_id":{"requiredFrom":406},"push_public_key":{"requiredFrom":406},"bouncer_public_key":{"requiredFrom":406},"encrypted_push_registration":{"requiredFrom":406}}},
  removeNavigationView: {"added":390,"parameters":{"fragment":{"requiredFrom":390}}},
  updateLinkifier: {"parameters":{"filter_id":{"requiredFrom":0},"pattern":{"requiredFrom":0},"url_template":{"requiredFrom":0}}},
  createProfileField: {"parameters":{"field_type":{"requiredFrom":0},"editable_by_user":{"added":296}}},
  createReminder: {"added":381,"parameters":{"note":{"added":415}}},
  deleteScheduledMessage: {"parameters":{"scheduled_message_id":{"requiredFrom":0}}},
  getServerSettings: {"parameters":{}},
  createResumableUpload: {"added":296,"parameters":{}},
  deactivateUserGroup: {"parameters":{"user_group_id":{"requiredFrom":0}}},
  updateSubgroups: {"parameters":{"user_group_id":{"requiredFrom":0}}},
  uploadFile: {"parameters":{"file":{"requiredFrom":0}}},
  updateUserByEmail: {"parameters":{"email":{"requiredFrom":0}}},
  getUserStatus: {"parameters":{"user_id":{"requiredFrom":0}}},
  deactivateOwnUser: {"parameters":{}},
  removeAndroidToken: {"parameters":{"token":{"requiredFrom":0}}},
  addIosDeviceToken: {"parameters":{"token":{"requiredFrom":0},"appid":{"requiredFrom":223}}},
  muteUser: {"parameters":{"muted_user_id":{"requiredFrom":0}}},
  unsubscribe: {"parameters":{"subscriptions":{"requiredFrom":0}}},
  updateMutedTopic: {"parameters":{"topic":{"requiredFrom":0},"op":{"requiredFrom":0}}},
};
