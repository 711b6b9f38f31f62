import { always, changesAnswer, failure, jsonOf, parametersOf, success, withParameters } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { readMessage } from "../read-message.js";
import { fetchMessages, isFrom, onMessage } from "../requests.js";
import { headerOf, type WireResponse, withHeader } from "../wire.js";

/** Faults that show only in several requests. */
export const sequenceFaults: readonly Fault[] = ofFamily("sequences", [
  [
    "same-name-same-url",
    "returns the URL of an earlier upload for another one of the same name",
    {
      on: ["uploadFile"],
      start: () => {
        const uploaded = new Map<string, WireResponse>();
        return async (request, forward) => {
          const answer = await forward(request);
          const key = `${headerOf(request, "Authorization")} ${jsonOf(answer)?.filename}`;
          const earlier = uploaded.get(key);
          if (answer.status === 200 && earlier === undefined) uploaded.set(key, answer);
          return answer.status === 200 ? (earlier ?? answer) : answer;
        };
      },
    },
    ["uploads.create.url"],
    ["workflow uploads-read"],
  ],
  [
    "second-reminder-of-message-lost",
    "keeps only the first reminder of a message",
    {
      on: ["createReminder"],
      start: () => {
        const reminded = new Map<string, number>();
        return async (request, forward) => {
          const id = parametersOf(request).get("message_id");
          const key = `${headerOf(request, "Authorization")} ${id}`;
          const earlier = reminded.get(key);
          if (earlier !== undefined) return success({ reminder_id: earlier + 1 });
          const answer = await forward(request);
          const made = jsonOf(answer)?.reminder_id;
          if (id !== null && typeof made === "number") reminded.set(key, made);
          return answer;
        };
      },
    },
    ["reminders.create.created"],
    ["workflow reminders-of-one-message"],
  ],
  [
    "change-later-leaves-target",
    "moves the messages after the target, and not the target, for `change_later`",
    always(["editMessage"], async (request, forward) => {
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
      return next === undefined ? forward(request) : forward(onMessage(request, next.id));
    }),
    ["messages.edit.change-later"],
    ["workflow moving-change-later"],
  ],
  [
    "resolving-one-resolves-all",
    "resolves a whole topic when only one message gets the check mark",
    always(["editMessage"], (request, forward) =>
      forward(
        withParameters(request, (parameters) => {
          const isResolution = parameters.get("topic")?.startsWith("✔ ");
          if (isResolution && !parameters.has("stream_id")) parameters.set("propagate_mode", "change_all");
        }),
      ),
    ),
    ["messages.edit.resolve-part"],
    ["workflow topic-resolution-of-one"],
  ],
  [
    "old-address-still-accepted",
    "still accepts the previous address of a user",
    {
      on: ["updateUserByEmail"],
      start: () => {
        const addresses = new Map<string, string>();
        return async (request, forward) => {
          const { email = "" } = request.path;
          const renamed = addresses.get(email);
          const answer = await forward(request);
          const newEmail = parametersOf(request).get("new_email");
          if (answer.status === 200 && newEmail !== null) addresses.set(email, newEmail);
          if (answer.status !== 400 || renamed === undefined) return answer;
          return forward({ ...request, target: `/api/v1/users/${encodeURIComponent(renamed)}` });
        };
      },
    },
    ["users.update-by-email.real-email"],
    ["workflow users-old-email-names-nobody"],
  ],
  [
    "concurrent-write-lost",
    "returns success for a write without executing it while another one of the same user runs",
    {
      on: ["muteUser", "updateMutedTopic", "updateSubgroups"],
      start: () => {
        const running = new Set<string | undefined>();
        return async (request, forward) => {
          const user = headerOf(request, "Authorization");
          if (user !== undefined && running.has(user)) return success();
          running.add(user);
          // A write takes a while.
          await new Promise((resolve) => setTimeout(resolve, 5));
          return Promise.resolve(forward(request)).finally(() => running.delete(user));
        };
      },
    },
    ["users.mute.muted"],
    ["workflow concurrent-requests"],
  ],
  [
    "tus-length-omitted",
    "omits `Upload-Length` when it reports the offset of a resumable upload",
    changesAnswer("all", (answer, { method, target }) =>
      method === "HEAD" && target.startsWith("/api/v1/tus/") ? withHeader(answer, "Upload-Length") : answer,
    ),
    ["uploads.tus.resumable"],
    ["workflow uploads-tus-resume"],
  ],
  [
    "sent-message-cancelled",
    "returns success for the deletion of a scheduled message that was sent",
    {
      on: ["deleteScheduledMessage"],
      start: (known) => {
        const deleted = new Set<string | undefined>();
        return async (request, forward) => {
          const { scheduled_message_id: id } = request.path;
          const answer = await forward(request);
          if (answer.status === 200) deleted.add(id);
          const caller = known.callerOf(request);
          const isOwn = known
            .valuesOf(caller?.organization ?? "")
            .some(
              ({ state, values, params }) =>
                state === "scheduled-message" &&
                String(values.scheduled_message_id) === id &&
                (params.from ?? "member") === caller?.caller,
            );
          return answer.status === 400 && isOwn && !deleted.has(id) ? success() : answer;
        };
      },
    },
    ["scheduled-messages.delete.only-own-pending"],
    ["workflow scheduled-message-sent"],
  ],
  [
    "deleted-attachment-served",
    "says that an attachment is deleted, and still serves it",
    {
      on: ["deleteAttachment"],
      start: (known) => {
        const deleted = new Set<string | undefined>();
        return async (request, forward) => {
          const { attachment_id: id } = request.path;
          const caller = known.callerOf(request);
          const own = known
            .valuesOf(caller?.organization ?? "")
            .find(
              ({ state, values, params }) =>
                state === "attachment" &&
                String(values.attachment_id) === id &&
                (params.from ?? "member") === caller?.caller,
            );
          if (own === undefined || caller === undefined || !isFrom(request, caller)) return forward(request);
          if (deleted.has(id)) return failure(400, "BAD_REQUEST", "Invalid attachment");
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
        };
      },
    },
    ["attachments.delete.deleted"],
    ["workflow uploads-delete"],
  ],
]);
