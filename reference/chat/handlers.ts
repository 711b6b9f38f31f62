import type { ChatHandlers } from "../../src/chat/server/index.js";
import { createAddDefaultChannel } from "./channels/add-default-channel.js";
import { createRemoveDefaultChannel } from "./channels/remove-default-channel.js";
import { createUnsubscribe } from "./channels/unsubscribe.js";
import { createUpdateMutedTopic } from "./channels/update-muted-topic.js";
import { createDeactivateUserGroup } from "./groups/deactivate-user-group.js";
import { createUpdateSubgroups } from "./groups/update-subgroups.js";
import { createEditMessage } from "./messages/edit-message.js";
import { createGetMessages } from "./messages/get-messages.js";
import { createSetEditTypingStatus } from "./messages/set-edit-typing-status.js";
import { createRemoveNavigationView } from "./navigation/remove-navigation-view.js";
import { createCreateProfileField } from "./organizations/create-profile-field.js";
import { createGetServerSettings } from "./organizations/get-server-settings.js";
import { createUpdateLinkifier } from "./organizations/update-linkifier.js";
import { createAddIosDeviceToken } from "./push/add-ios-device-token.js";
import { createRegisterPushDevice } from "./push/register-push-device.js";
import { createRemoveAndroidToken } from "./push/remove-android-token.js";
import { createCreateReminder } from "./reminders/create-reminder.js";
import { createDeleteScheduledMessage } from "./scheduled-messages/delete-scheduled-message.js";
import type { Caller, Services } from "./services.js";
import { createDeleteAttachment } from "./uploads/delete-attachment.js";
import { createUploadFile } from "./uploads/upload-file.js";
import { createDeactivateOwnUser } from "./users/deactivate-own-user.js";
import { createGetUserStatus } from "./users/get-user-status.js";
import { createMuteUser } from "./users/mute-user.js";
import { createUpdateUserByEmail } from "./users/update-user-by-email.js";

/** The handler of each operation. */
export function createHandlers(services: Services): ChatHandlers<Caller> {
  return {
    getMessages: createGetMessages(services),
    editMessage: createEditMessage(services),
    setEditTypingStatus: createSetEditTypingStatus(services),
    updateUserByEmail: createUpdateUserByEmail(services),
    getUserStatus: createGetUserStatus(services),
    deactivateOwnUser: createDeactivateOwnUser(services),
    muteUser: createMuteUser(services),
    deactivateUserGroup: createDeactivateUserGroup(services),
    updateSubgroups: createUpdateSubgroups(services),
    unsubscribe: createUnsubscribe(services),
    addDefaultChannel: createAddDefaultChannel(services),
    removeDefaultChannel: createRemoveDefaultChannel(services),
    updateMutedTopic: createUpdateMutedTopic(services),
    createProfileField: createCreateProfileField(services),
    updateLinkifier: createUpdateLinkifier(services),
    getServerSettings: createGetServerSettings(services),
    registerPushDevice: createRegisterPushDevice(services),
    addIosDeviceToken: createAddIosDeviceToken(services),
    removeAndroidToken: createRemoveAndroidToken(services),
    createReminder: createCreateReminder(services),
    deleteScheduledMessage: createDeleteScheduledMessage(services),
    removeNavigationView: createRemoveNavigationView(services),
    uploadFile: createUploadFile(services),
    deleteAttachment: createDeleteAttachment(services),
  };
}
