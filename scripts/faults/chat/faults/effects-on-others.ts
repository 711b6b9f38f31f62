import { ofFamily } from "../../fault.js";
import type { Behaviour } from "../behaviour.js";
import { always, type On, remembers } from "../changes.js";
import { all, from, matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { KnownOrganizations, KnownUser } from "../known-organizations.js";
import { jsonOf, parametersOf } from "../messages.js";
import { readMessage } from "../read-message.js";
import { asUser, call, fetchMessages, setUp } from "../requests.js";
import type { Forward, WireRequest } from "../wire.js";

/** Requests that change something for users, channels or organizations that they do not concern. */
export const effectsOnOthersFaults: readonly ChatFault[] = ofFamily("effects on others", [
  fault("mute-is-mutual", "also mutes the caller for the muted user")
    .breaks("users.mute.muted")
    .checkedBy("workflow muting-users-twice")
    .by(
      afterSuccess("muteUser", async ({ request, forward, caller, others }) => {
        const muted = others.find(({ userId }) => String(userId) === request.path.muted_user_id);
        const path = `/users/me/muted_users/${caller.userId}`;
        if (muted !== undefined) await call(request, forward, { method: "POST", path, as: muted });
      }),
    ),
  fault("topic-muted-for-all-users", "mutes a topic for every subscriber of its channel")
    .breaks("topics.mute.is-muted")
    .by(
      afterSuccess("updateMutedTopic", async ({ request, forward, others }) => {
        for (const user of others) await forward(asUser(request, user));
      }),
    ),
  fault("change-all-in-every-channel", "also moves the topics of the same name in other channels for `change_all`")
    .breaks("messages.edit.change-all-only")
    .always("editMessage", async (request, forward, known) => {
      const topic = parametersOf(request).get("topic");
      const isWhole = parametersOf(request).get("propagate_mode") === "change_all" && topic !== null;
      const message = isWhole ? await readMessage(request, forward, { allow_empty_topic_name: "true" }) : undefined;
      const response = await forward(request);
      const owner = known.colleagueOf(request, "owner");
      if (response.status !== 200 || message === undefined || topic === null || owner === undefined) return response;
      const narrow = JSON.stringify([
        ["channels", "public"],
        ["topic", message.topic],
      ]);
      const found = await fetchMessages(request, forward, { anchor: "oldest", num_after: "1000", narrow }, owner);
      const other = found.find(({ stream_id }) => stream_id !== message.stream_id);
      if (other === undefined) return response;
      const parameters = { topic, propagate_mode: "change_all", send_notification_to_new_thread: "false" };
      await call(request, forward, { method: "PATCH", path: `/messages/${other.id}`, parameters, as: owner });
      return response;
    }),
  fault("default-channel-subscribes-all-users", "subscribes all existing users to a new default channel")
    .breaks("default-channels.add.subscribes")
    .by(
      afterSuccess("addDefaultChannel", async ({ request, forward, known, caller, others }) => {
        const id = parametersOf(request).get("stream_id");
        const channel = known.setupsOf(request).find(({ values }) => String(values.stream_id) === id);
        const subscribers = [caller, ...others].map((user) => user.caller);
        if (channel === undefined) return;
        const { organization } = caller;
        await setUp(forward, "subscription", { organization, name: channel.params.name, subscribers });
      }),
    ),
  fault("scheduled-message-of-another-deleted", "deletes scheduled messages of other users")
    .breaks("scheduled-messages.delete.only-own-pending")
    .checkedBy("case deleteScheduledMessage/of_another_user")
    .by(actsForOthers("deleteScheduledMessage")),
  fault("all-scheduled-messages-deleted", "deletes every scheduled message of the caller when one is deleted")
    .breaks("scheduled-messages.delete.cancelled")
    .checkedBy("workflow scheduled-message-cancelled")
    .by(
      afterSuccess("deleteScheduledMessage", async ({ request, forward, known }) => {
        for (const {
          values: { scheduled_message_id: id },
        } of known.setupsOf(request)) {
          if (id !== undefined) await call(request, forward, { method: "DELETE", path: `/scheduled_messages/${id}` });
        }
      }),
    ),
  fault("attachment-of-another-deleted", "deletes attachments of other users")
    .breaks("attachments.delete.own-only")
    .by(actsForOthers("deleteAttachment")),
  fault("upload-shared-at-once", "lets all users of the organization open an upload before a message links to it")
    .breaks("uploads.create.uploader-only")
    .by(
      remembers(
        ["uploadFile", "editMessage"],
        () => new Map<unknown, KnownUser>(),
        async (request, forward, shares, known) => {
          if (request.operationId === "editMessage") {
            // Removes the uploads from the messages that share them, so that the edit finds no other reference to them.
            for (const [id, as] of shares) {
              const parameters = { content: "-" };
              await call(request, forward, { method: "PATCH", path: `/messages/${id}`, parameters, as });
            }
            shares.clear();
          }
          const response = await forward(request);
          const filename = jsonOf(response)?.filename;
          const caller = known.callerOf(request);
          if (response.status !== 200 || filename === undefined || caller === undefined) return response;
          const to = peopleBeside(caller, known).map((user) => user.caller);
          const share = {
            organization: caller.organization,
            from: caller.caller,
            to,
            content: "Uploaded",
            links: [filename],
          };
          const made = await setUp(forward, "message", share);
          if (made?.message_id !== undefined) shares.set(made.message_id, caller);
          return response;
        },
      ),
    ),
  fault("message-of-another-organization-edited", "edits messages of other organizations")
    .breaks("errors.invalid-id")
    .checkedBy("workflow editing-in-another-organization")
    .always("editMessage", async (request, forward, known) => {
      const response = await forward(request);
      const id = request.path.message_id;
      const owner = known.ownerOf("message_id", id) ?? known.ownerOf("message_ids", id);
      const isForeign = owner !== undefined && owner.organization !== known.callerOf(request)?.organization;
      if (response.status !== 400 || !isForeign) return response;
      for (const user of known.usersOf(owner.organization)) {
        const other = await forward(asUser(request, user));
        if (other.status === 200) return other;
      }
      return response;
    }),
  fault("guests-search-public-channels", "finds messages of all public channels for guests")
    .breaks("messages.get.access")
    .actsAs("getMessages", "member", all(from("guest"), matches("narrow", /public/))),
]);

/** A successful request of a known user. */
interface Succeeded {
  readonly request: WireRequest;
  readonly forward: Forward;
  readonly known: KnownOrganizations;
  readonly caller: KnownUser;
  /** The other active people of the organization. */
  readonly others: readonly KnownUser[];
}

/** Adds an effect to each successful request. */
function afterSuccess(on: On, more: (succeeded: Succeeded) => Promise<void>): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    const caller = known.callerOf(request);
    if (response.status !== 200 || caller === undefined) return response;
    await more({ request, forward, known, caller, others: peopleBeside(caller, known) });
    return response;
  });
}

function peopleBeside(caller: KnownUser, known: KnownOrganizations): KnownUser[] {
  return known
    .usersOf(caller.organization)
    .filter((user) => user !== caller && !["bot", "deactivated"].includes(user.caller));
}

/** Retries a refused request as each other user of the organization, until one may do it. */
function actsForOthers(on: On): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    if (response.status !== 400) return response;
    const caller = known.callerOf(request);
    for (const user of known.colleaguesOf(request)) {
      const other = user === caller ? response : await forward(asUser(request, user));
      if (other.status === 200) return other;
    }
    return response;
  });
}
