// Written by `npm run generate`. Not to be edited.

/** What codec, client, server and mock need to know of every operation, by operationId. */
export const operations = {
  deleteAttachment: {"feature":"attachments.delete","method":"DELETE","path":"/attachments/{attachment_id}","parameters":{"attachment_id":"integer"}},
  editMessage: {"feature":"messages.edit","method":"PATCH","path":"/messages/{message_id}","body":"form","parameters":{"message_id":"integer","topic":"string","propagate_mode":"string","send_notification_to_old_thread":"boolean","send_notification_to_new_thread":"boolean","content":"string","prev_content_sha256":"string","stream_id":"integer"}},
  setEditTypingStatus: {"feature":"messages.typing","method":"POST","path":"/messages/{message_id}/typing","body":"form","parameters":{"message_id":"integer","op":"string"}},
  registerPushDevice: {"feature":"push.register","method":"POST","path":"/mobile_push/register","body":"form","parameters":{"token_kind":"string","push_account_id":"integer","push_public_key":"string","bouncer_public_key":"string","encrypted_push_registration":"string"}},
  createReminder: {"feature":"reminders.create","method":"POST","path":"/reminders","body":"form","parameters":{"message_id":"integer","scheduled_delivery_timestamp":"integer","note":"string"}},
  deleteScheduledMessage: {"feature":"scheduled-messages.delete","method":"DELETE","path":"/scheduled_messages/{scheduled_message_id}","parameters":{"scheduled_message_id":"integer"}},
  getServerSettings: {"feature":"server-settings.get","method":"GET","path":"/server_settings","auth":false,"parameters":{}},
  createResumableUpload: {"feature":"uploads.tus","method":"POST","path":"/tus","parameters":{},"headers":{"Tus-Resumable":"string","Upload-Length":"integer","Upload-Defer-Length":"integer","Upload-Metadata":"string"}},
  uploadFile: {"feature":"uploads.create","method":"POST","path":"/user_uploads","body":"multipart","parameters":{"file":"file"}},
  updateUserByEmail: {"feature":"users.update-by-email","method":"PATCH","path":"/users/{email}","body":"form","parameters":{"email":"string","full_name":"string","role":"integer","profile_data":"json","new_email":"string"}},
  getUserStatus: {"feature":"users.get-status","method":"GET","path":"/users/{user_id}/status","parameters":{"user_id":"integer"}},
  deactivateOwnUser: {"feature":"users.deactivate-own","method":"DELETE","path":"/users/me","parameters":{}},
  removeAndroidToken: {"feature":"push.remove-android-token","method":"DELETE","path":"/users/me/android_reg_id","body":"form","parameters":{"token":"string"}},
  addIosDeviceToken: {"feature":"push.add-ios-token","method":"POST","path":"/users/me/ios_device_token","body":"form","parameters":{"token":"string","appid":"string"}},
  muteUser: {"feature":"users.mute","method":"POST","path":"/users/me/muted_users/{muted_user_id}","parameters":{"muted_user_id":"integer"}},
  unsubscribe: {"feature":"subscriptions.remove","method":"DELETE","path":"/users/me/subscriptions","body":"form","parameters":{"subscriptions":"json","principals":"json"}},
} as const;
