// Written by `npm run generate`. Not to be edited.

/** What codec, client, server and mock need to know of every operation, by operationId. */
export const operations = {
  registerPushDevice: {"feature":"push.register","method":"POST","path":"/mobile_push/register","body":"form","parameters":{"token_kind":"string","push_account_id":"integer","push_public_key":"string","bouncer_public_key":"string","encrypted_push_registration":"string"}},
  updateUserByEmail: {"feature":"users.update-by-email","method":"PATCH","path":"/users/{email}","body":"form","parameters":{"email":"string","full_name":"string","role":"integer","profile_data":"json","new_email":"string"}},
  getUserStatus: {"feature":"users.get-status","method":"GET","path":"/users/{user_id}/status","parameters":{"user_id":"integer"}},
  deactivateOwnUser: {"feature":"users.deactivate-own","method":"DELETE","path":"/users/me","parameters":{}},
  removeAndroidToken: {"feature":"push.remove-android-token","method":"DELETE","path":"/users/me/android_reg_id","body":"form","parameters":{"token":"string"}},
  addIosDeviceToken: {"feature":"push.add-ios-token","method":"POST","path":"/users/me/ios_device_token","body":"form","parameters":{"token":"string","appid":"string"}},
  muteUser: {"feature":"users.mute","method":"POST","path":"/users/me/muted_users/{muted_user_id}","parameters":{"muted_user_id":"integer"}},
  unsubscribe: {"feature":"subscriptions.remove","method":"DELETE","path":"/users/me/subscriptions","body":"form","parameters":{"subscriptions":"json","principals":"json"}},
} as const;
