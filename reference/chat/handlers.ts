import { notLoggedIn } from "../../src/chat/server/credentials.js";
import type { HandlerCall } from "../../src/chat/server/handlers.js";
import type { ChatHandlers, OperationId } from "../../src/chat/server/index.js";
import { findCaller } from "./authentication.js";
import { createAddDefaultChannel, createRemoveDefaultChannel } from "./channels/default-channels.js";
import { createUnsubscribe } from "./channels/unsubscribe.js";
import { createUpdateMutedTopic } from "./channels/update-muted-topic.js";
import { createCreateReminder } from "./delivery/reminders.js";
import { createDeleteScheduledMessage } from "./delivery/scheduled-messages.js";
import { createDeactivateUserGroup, createUpdateSubgroups } from "./groups/user-group-operations.js";
import { createEditMessage, createSetEditTypingStatus } from "./messages/edit-message/edit-message.js";
import { createGetMessages } from "./messages/get-messages.js";
import { createGetServerSettings } from "./organizations/get-server-settings.js";
import { createUpdateLinkifier } from "./organizations/update-linkifier.js";
import { createCreateProfileField } from "./profile-fields/create-profile-field.js";
import { createAddIosDeviceToken, createRegisterPushDevice, createRemoveAndroidToken } from "./push-devices.js";
import { type Caller, inTransaction, type Operation, type Services } from "./services.js";
import type { Database } from "./storage/database.js";
import { createDeleteAttachment, createUploadFile } from "./uploads/attachments.js";
import { createUpdateUserByEmail } from "./users/update-user-by-email.js";
import {
  createDeactivateOwnUser,
  createGetUserStatus,
  createMuteUser,
  createRemoveNavigationView,
} from "./users/user-operations.js";

/** The handler of each operation. Each call runs in one transaction. */
export function createHandlers(services: Services): ChatHandlers<Caller> {
  const { reads, writes, exclusively } = transactionsOf(services);
  return {
    getMessages: reads(createGetMessages, "longRead"),
    editMessage: writes(createEditMessage),
    setEditTypingStatus: reads(createSetEditTypingStatus),
    updateUserByEmail: exclusively(createUpdateUserByEmail),
    getUserStatus: reads(createGetUserStatus),
    deactivateOwnUser: exclusively(createDeactivateOwnUser),
    muteUser: writes(createMuteUser),
    deactivateUserGroup: exclusively(createDeactivateUserGroup),
    updateSubgroups: exclusively(createUpdateSubgroups),
    unsubscribe: writes(createUnsubscribe),
    addDefaultChannel: writes(createAddDefaultChannel),
    removeDefaultChannel: writes(createRemoveDefaultChannel),
    updateMutedTopic: writes(createUpdateMutedTopic),
    createProfileField: exclusively(createCreateProfileField),
    updateLinkifier: writes(createUpdateLinkifier),
    getServerSettings: reads(createGetServerSettings),
    registerPushDevice: writes(createRegisterPushDevice),
    addIosDeviceToken: writes(createAddIosDeviceToken),
    removeAndroidToken: writes(createRemoveAndroidToken),
    createReminder: writes(createCreateReminder),
    deleteScheduledMessage: writes(createDeleteScheduledMessage),
    removeNavigationView: writes(createRemoveNavigationView),
    uploadFile: writes(createUploadFile),
    deleteAttachment: writes(createDeleteAttachment),
  };
}

/** Creates the handler of an operation for the services of one call. */
type CreateHandler<Id extends OperationId> = (services: Services) => Operation<Id>;

/** Functions that run handlers in transactions. */
function transactionsOf(services: Services) {
  const writesWith = <Id extends OperationId>(
    create: CreateHandler<Id>,
    prepare: (database: Database, caller: Caller) => Promise<void>,
  ): Operation<Id> => {
    const run = (call: HandlerCall<Id, Caller>) =>
      inTransaction(services, "write", async (within) => {
        // The role of the caller may have changed since the request was authenticated.
        const caller = call.caller && (await findCaller(within.database, (call.caller as Caller).user));
        if (caller === undefined) throw notLoggedIn();
        await prepare(within.database, caller);
        return create(within)({ ...call, caller } as typeof call);
      });
    return run as Operation<Id>;
  };
  return {
    reads: <Id extends OperationId>(create: CreateHandler<Id>, kind: "read" | "longRead" = "read"): Operation<Id> => {
      const run = (call: HandlerCall<Id, Caller>) =>
        inTransaction(services, kind, async (within) => create(within)(call));
      return run as Operation<Id>;
    },
    writes: <Id extends OperationId>(create: CreateHandler<Id>) => writesWith(create, async () => {}),
    exclusively: <Id extends OperationId>(create: CreateHandler<Id>) => writesWith(create, beExclusive),
  };
}

/**
 * Makes a transaction conflict with others of its kind in the organization. Handlers need it if several rows together must keep
 * a rule, such as that an organization has an owner: two transactions could each keep it and break it together.
 */
async function beExclusive(database: Database, { realm }: Caller): Promise<void> {
  await database
    .updateTable("realm")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", realm.id)
    .execute();
}
