import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { KnownOrganizations, KnownValues } from "../known-organizations.js";
import { failure, jsonOf, parametersOf, success } from "../messages.js";
import { readMessage } from "../read-message.js";
import { fetchMessages, isFrom, onMessage } from "../requests.js";
import { headerOf, type WireRequest, type WireResponse, withHeader } from "../wire.js";

/** Faults that show only in several requests. */
export const sequenceFaults: readonly ChatFault[] = ofFamily("sequences", [
  fault("same-name-same-url", "returns the URL of an earlier upload for another one of the same name")
    .breaks("uploads.create.url")
    .checkedBy("workflow uploads-read")
    .by(
      remembers(
        "uploadFile",
        () => new Map<string, WireResponse>(),
        async (request, forward, uploaded) => {
          const response = await forward(request);
          const key = `${headerOf(request, "Authorization")} ${jsonOf(response)?.filename}`;
          const earlier = uploaded.get(key);
          if (response.status === 200 && earlier === undefined) uploaded.set(key, response);
          return response.status === 200 ? (earlier ?? response) : response;
        },
      ),
    ),
  fault("second-reminder-of-message-lost", "keeps only the first reminder of a message")
    .breaks("reminders.create.created")
    .checkedBy("workflow reminders-of-one-message")
    .by(
      remembers(
        "createReminder",
        () => new Map<string, number>(),
        async (request, forward, reminded) => {
          const id = parametersOf(request).get("message_id");
          const key = `${headerOf(request, "Authorization")} ${id}`;
          const earlier = reminded.get(key);
          if (earlier !== undefined) return success({ reminder_id: earlier + 1 });
          const response = await forward(request);
          const made = jsonOf(response)?.reminder_id;
          if (id !== null && typeof made === "number") reminded.set(key, made);
          return response;
        },
      ),
    ),
  fault("change-later-leaves-target", "moves the messages after the target, and not the target, for `change_later`")
    .breaks("messages.edit.change-later")
    .checkedBy("workflow moving-change-later")
    .always("editMessage", async (request, forward) => {
      const parameters = parametersOf(request);
      const isLater = parameters.get("propagate_mode") === "change_later" && !parameters.has("content");
      const message = isLater ? await readMessage(request, forward, { allow_empty_topic_name: "true" }) : undefined;
      if (typeof message?.display_recipient !== "string") return forward(request);
      const narrow = JSON.stringify([
        { operator: "channel", operand: message.stream_id },
        { operator: "topic", operand: message.topic },
      ]);
      const after = { anchor: String(message.id), num_after: "1", include_anchor: "false", narrow };
      const [next] = await fetchMessages(request, forward, after);
      return forward(next === undefined ? request : onMessage(request, next.id));
    }),
  fault("resolving-one-resolves-all", "resolves a whole topic when only one message gets the check mark")
    .breaks("messages.edit.resolve-part")
    .changesParameters("editMessage", (parameters) => {
      const isResolution = parameters.get("topic")?.startsWith("✔ ");
      if (isResolution && !parameters.has("stream_id")) parameters.set("propagate_mode", "change_all");
    }),
  fault("old-address-still-accepted", "still accepts the previous address of a user")
    .breaks("users.update-by-email.real-email")
    .checkedBy("workflow users-old-email-names-nobody")
    .by(
      remembers(
        "updateUserByEmail",
        () => new Map<string, string>(),
        async (request, forward, addresses) => {
          const { email = "" } = request.path;
          const renamed = addresses.get(email);
          const response = await forward(request);
          const newEmail = parametersOf(request).get("new_email");
          if (response.status === 200 && newEmail !== null) addresses.set(email, newEmail);
          if (response.status !== 400 || renamed === undefined) return response;
          return forward({ ...request, target: `/api/v1/users/${encodeURIComponent(renamed)}` });
        },
      ),
    ),
  fault(
    "concurrent-write-lost",
    "returns success for a write without executing it while another one of the same user runs",
  )
    .breaks("users.mute.muted")
    .checkedBy("workflow concurrent-requests")
    .by(
      remembers(
        ["muteUser", "updateMutedTopic", "updateSubgroups"],
        () => new Set<string>(),
        async (request, forward, running) => {
          const user = headerOf(request, "Authorization") ?? "";
          if (user !== "" && running.has(user)) return success();
          running.add(user);
          // A write takes a while.
          await new Promise((resolve) => setTimeout(resolve, 5));
          return forward(request).finally(() => running.delete(user));
        },
      ),
    ),
  fault("tus-length-omitted", "omits `Upload-Length` when it reports the offset of a resumable upload")
    .breaks("uploads.tus.resumable")
    .changesResponse("all", (response, { method, target }) =>
      method === "HEAD" && target.startsWith("/api/v1/tus/") ? withHeader(response, "Upload-Length") : undefined,
    ),
  fault("sent-message-cancelled", "returns success for the deletion of a scheduled message that was sent")
    .breaks("scheduled-messages.delete.only-own-pending")
    .checkedBy("workflow scheduled-message-sent")
    .by(
      remembers(
        "deleteScheduledMessage",
        () => new Set<string | undefined>(),
        async (request, forward, deleted, known) => {
          const { scheduled_message_id: id } = request.path;
          const response = await forward(request);
          if (response.status === 200) deleted.add(id);
          const isOwn = ownSetup(request, known, "scheduled_message_id") !== undefined;
          return response.status === 400 && isOwn && !deleted.has(id) ? success() : response;
        },
      ),
    ),
  fault("deleted-attachment-served", "says that an attachment is deleted, and still serves it")
    .breaks("attachments.delete.deleted")
    .checkedBy("workflow uploads-delete")
    .by(
      remembers(
        "deleteAttachment",
        () => new Set<string | undefined>(),
        async (request, forward, deleted, known) => {
          const { attachment_id: id } = request.path;
          const caller = known.callerOf(request);
          const own = ownSetup(request, known, "attachment_id");
          if (own === undefined || caller === undefined || !isFrom(request, caller)) return forward(request);
          if (deleted.has(id)) return failure();
          const served = await forward({
            ...request,
            method: "GET",
            target: `${own.values.url}`,
            body: Buffer.alloc(0),
          });
          if (served.status !== 200) return forward(request);
          deleted.add(id);
          const ignored = [...parametersOf(request).keys()].sort();
          return success(ignored.length === 0 ? {} : { ignored_parameters_unsupported: ignored });
        },
      ),
    ),
]);

/** The setup of what the path names, if the caller has made it. */
function ownSetup(request: WireRequest, known: KnownOrganizations, name: string): KnownValues | undefined {
  const caller = known.callerOf(request)?.caller;
  return known
    .setupsOf(request)
    .find(({ values, params }) => `${values[name]}` === request.path[name] && (params.from ?? "member") === caller);
}
