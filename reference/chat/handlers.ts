import type { ChatHandlers } from "../../src/chat/server/index.js";
import { createAddDefaultChannel, createRemoveDefaultChannel } from "./channels/default-channels.js";
import { createUnsubscribe } from "./channels/unsubscribe.js";
import { createUpdateMutedTopic } from "./channels/update-muted-topic.js";
import { createCreateReminder } from "./delivery/reminders.js";
import { createDeleteScheduledMessage } from "./delivery/scheduled-messages.js";
import { createDeactivateUserGroup, createUpdateSubgroups } from "./groups/user-group-operations.js";
import { createEditMessage, createSetEditTypingStatus } from "./messages/edit-message/edit-message.js";
import { createGetMessages } from "./messages/get-messages.js";
import { createCreateProfileField } from "./organizations/create-profile-field.js";
import { createGetServerSettings } from "./organizations/get-server-settings.js";
import { createUpdateLinkifier } from "./organizations/update-linkifier.js";
import { createAddIosDeviceToken, createRegisterPushDevice, createRemoveAndroidToken } from "./push-devices.js";
import type { Caller, Services } from "./services.js";
import { createDeleteAttachment, createUploadFile } from "./uploads/attachments.js";
import { createUpdateUserByEmail } from "./users/update-user-by-email.js";
import {
  createDeactivateOwnUser,
  createGetUserStatus,
  createMuteUser,
  createRemoveNavigationView,
} from "./users/user-operations.js";

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
