import type { Behaviour, OperationId } from "../behaviour.js";
import { always, jsonOf, parametersOf } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import type { KnownOrganizations, KnownUser } from "../known-organizations.js";
import { readMessage } from "../read-message.js";
import { asUser, call, fetchMessages, setUp } from "../requests.js";
import type { Forward, WireRequest } from "../wire.js";

/** Requests that change something for users, channels or organizations that they do not concern. */
export const effectsOnOthersFaults: readonly Fault[] = ofFamily("effects on others", [
  [
    "mute-is-mutual",
    "also mutes the caller for the muted user",
    afterSuccess("muteUser", async ({ request, forward, caller, others }) => {
      const muted = others.find(({ userId }) => String(userId) === request.path.muted_user_id);
      const path = `/users/me/muted_users/${caller.userId}`;
      if (muted !== undefined) await call(request, forward, { method: "POST", path, as: muted });
    }),
    ["users.mute.muted"],
    ["workflow muting-users-twice"],
  ],
  [
    "topic-muted-for-all-users",
    "mutes a topic for every subscriber of its channel",
    afterSuccess("updateMutedTopic", async ({ request, forward, others }) => {
      for (const user of others) await forward(asUser(request, user));
    }),
    ["topics.mute.is-muted"],
    ["workflow topics-mute-for-caller"],
  ],
  [
    "change-all-in-every-channel",
    "also moves the topics of the same name in other channels for `change_all`",
    always(["editMessage"], async (request, forward, known) => {
      const topic = parametersOf(request).get("topic");
      const isWhole = parametersOf(request).get("propagate_mode") === "change_all" && topic !== null;
      const message = isWhole ? await readMessage(request, forward, { allow_empty_topic_name: "true" }) : undefined;
      const answer = await forward(request);
      const { organization = "" } = known.callerOf(request) ?? {};
      const owner = known.usersOf(organization).find(({ caller }) => caller === "owner");
      if (answer.status !== 200 || message === undefined || topic === null || owner === undefined) return answer;
      const narrow = JSON.stringify([
        { operator: "channels", operand: "public" },
        { operator: "topic", operand: message.topic },
      ]);
      const all = await fetchMessages(request, forward, { anchor: "oldest", num_after: "1000", narrow }, owner);
      const other = all.find(({ stream_id }) => stream_id !== message.stream_id);
      if (other === undefined) return answer;
      const parameters = { topic, propagate_mode: "change_all", send_notification_to_new_thread: "false" };
      await call(request, forward, { method: "PATCH", path: `/messages/${other.id}`, parameters, as: owner });
      return answer;
    }),
    ["messages.edit.change-all-only"],
    ["workflow moving-change-all"],
  ],
  [
    "default-channel-subscribes-all-users",
    "subscribes all existing users to a new default channel",
    afterSuccess("addDefaultChannel", async ({ request, forward, known, caller, others }) => {
      const id = parametersOf(request).get("stream_id");
      const { organization } = caller;
      const channel = known.valuesOf(organization).find(({ values }) => String(values.stream_id) === id);
      const subscribers = [caller, ...others].map((user) => user.caller);
      if (channel === undefined) return;
      await setUp(forward, "subscription", { organization, name: channel.params.name, subscribers });
    }),
    ["default-channels.add.subscribes"],
    ["workflow default-channels-cycle"],
  ],
  [
    "scheduled-message-of-another-deleted",
    "deletes scheduled messages of other users",
    actsForOthers("deleteScheduledMessage"),
    ["scheduled-messages.delete.only-own-pending"],
    ["case deleteScheduledMessage/of_another_user"],
  ],
  [
    "all-scheduled-messages-deleted",
    "deletes every scheduled message of the caller when one is deleted",
    afterSuccess("deleteScheduledMessage", async ({ request, forward, known, caller }) => {
      for (const { values } of known.valuesOf(caller.organization)) {
        const { scheduled_message_id: id } = values;
        if (id !== undefined) await call(request, forward, { method: "DELETE", path: `/scheduled_messages/${id}` });
      }
    }),
    ["scheduled-messages.delete.cancelled"],
    ["workflow scheduled-message-cancelled"],
  ],
  [
    "attachment-of-another-deleted",
    "deletes attachments of other users",
    actsForOthers("deleteAttachment"),
    ["attachments.delete.own-only"],
    ["workflow attachments-delete-twice"],
  ],
  [
    "upload-shared-at-once",
    "lets all users of the organization open an upload before a message links to it",
    {
      on: ["uploadFile", "editMessage"],
      start: (known) => {
        const shares = new Map<unknown, KnownUser>();
        return async (request, forward) => {
          if (request.operationId === "editMessage") {
            // Removes the uploads from the messages that share them, so that the edit finds no other reference to them.
            for (const [id, as] of shares) {
              await call(request, forward, {
                method: "PATCH",
                path: `/messages/${id}`,
                parameters: { content: "-" },
                as,
              });
            }
            shares.clear();
          }
          const answer = await forward(request);
          const filename = jsonOf(answer)?.filename;
          const from = known.callerOf(request);
          if (answer.status !== 200 || filename === undefined || from === undefined) return answer;
          const { organization, caller } = from;
          const to = peopleBeside(from, known).map((user) => user.caller);
          const share = { organization, from: caller, to, content: "Uploaded", links: [filename] };
          const made = await setUp(forward, "message", share);
          if (made?.message_id !== undefined) shares.set(made.message_id, from);
          return answer;
        };
      },
    },
    ["uploads.create.uploader-only"],
    ["workflow uploads-share"],
  ],
  [
    "message-of-another-organization-edited",
    "edits messages of other organizations",
    always(["editMessage"], async (request, forward, known) => {
      const answer = await forward(request);
      const id = request.path.message_id;
      const owner = known.ownerOf("message_id", id) ?? known.ownerOf("message_ids", id);
      const isForeign = owner !== undefined && owner.organization !== known.callerOf(request)?.organization;
      if (answer.status !== 400 || !isForeign) return answer;
      for (const user of known.usersOf(owner.organization)) {
        const other = await forward(asUser(request, user));
        if (other.status === 200) return other;
      }
      return answer;
    }),
    ["errors.invalid-id"],
    ["workflow editing-in-another-organization"],
  ],
  [
    "guests-search-public-channels",
    "finds messages of all public channels for guests",
    always(["getMessages"], (request, forward, known) => {
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const member = known.usersOf(organization).find((user) => user.caller === "member");
      const isPublic = parametersOf(request).get("narrow")?.includes("public");
      return caller === "guest" && member !== undefined && isPublic
        ? forward(asUser(request, member))
        : forward(request);
    }),
    ["messages.get.access"],
    ["workflow reading-access"],
  ],
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
function afterSuccess(on: OperationId, more: (succeeded: Succeeded) => Promise<void>): Behaviour {
  return always([on], async (request, forward, known) => {
    const answer = await forward(request);
    const caller = known.callerOf(request);
    if (answer.status !== 200 || caller === undefined) return answer;
    await more({ request, forward, known, caller, others: peopleBeside(caller, known) });
    return answer;
  });
}

function peopleBeside(caller: KnownUser, known: KnownOrganizations): KnownUser[] {
  const users = known.usersOf(caller.organization);
  return users.filter((user) => user !== caller && !["bot", "deactivated"].includes(user.caller));
}

/** Retries a refused request as each other user of the organization, until one may do it. */
function actsForOthers(on: OperationId): Behaviour {
  return always([on], async (request, forward, known) => {
    const answer = await forward(request);
    if (answer.status !== 400) return answer;
    const caller = known.callerOf(request);
    for (const user of known.usersOf(caller?.organization ?? "")) {
      const other = user === caller ? answer : await forward(asUser(request, user));
      if (other.status === 200) return other;
    }
    return answer;
  });
}
