import { all, from, has, is } from "../conditions.js";
import { fault } from "../describe.js";
import type { Deviation } from "../fault.js";
import { channelRecommendationFaults } from "../faults/recommendations-on-channels.js";
import { userRecommendationFaults } from "../faults/recommendations-on-users.js";
import {
  failure,
  isJson,
  type Json,
  jsonOf,
  listIn,
  listOf,
  parametersOf,
  withJson,
  withParameters,
} from "../messages.js";
import { asUser } from "../requests.js";
import { withHeader } from "../wire.js";

const tenDaysInSeconds = 864_000;

/** Faults that break only recommendations, and that do not disturb other deviations. */
const independentFaults: readonly string[] = [
  ...["away-false", "no-status-of-deactivated-user", "deactivated-user-not-muted", "nothing-to-update-refused"],
  ...["bot-not-deactivated", "any-relay-key-accepted", "ios-token-added-once", "subgroups-for-administrators-only"],
  ...["dummy-principal-unknown", "repeated-unmute-refused", "empty-file-refused", "resumed-upload-without-url"],
];

/** Behaviours that the requirements leave open and that differ from a recommendation of the contract. */
export const deviations: readonly Deviation[] = [
  ...[...userRecommendationFaults, ...channelRecommendationFaults].filter(({ name }) =>
    independentFaults.includes(name),
  ),
  fault("channel-operator-unsupported", "does not support the operator `channel`")
    .breaks("messages.get.channel-operator-name")
    .readsList("getMessages", "narrow", (terms) =>
      terms.map((term) => {
        if (isJson(term) && term.operator === "channel") return { ...term, operator: "unknown" };
        return Array.isArray(term) && term[0] === "channel" ? ["unknown", ...term.slice(1)] : term;
      }),
    ),
  fault("descending", "sorts messages by descending id")
    .breaks("messages.get.ascending")
    .changes("getMessages", "messages", (messages) => listOf(messages).reverse()),
  fault("group-syntax-unsupported", "does not support `(?P<name>…)`")
    .breaks("linkifiers.update.group-syntax")
    .reads("updateLinkifier", "pattern", (pattern) => (pattern.includes("(?P<") ? "(" : pattern)),
  fault(
    "reminders-in-another-conversation",
    "lets the notification bot write to a conversation that the caller does not read",
  )
    .breaks("reminders.create.recipient")
    .changes("getMessages", "messages", (messages) =>
      listOf(messages).filter(({ sender_full_name: name, display_recipient: to }) => {
        return !(Array.isArray(to) && name === "Notification Bot");
      }),
    ),
  fault("owners-not-administrators", "allows administrator operations to administrators but not to owners")
    .breaks("authentication.owner-is-administrator")
    .refuses(
      ["addDefaultChannel", "removeDefaultChannel", "createProfileField", "unsubscribe"],
      all(
        from("owner"),
        (parameters, { operationId }) => operationId !== "unsubscribe" || parameters.has("principals"),
      ),
    ),
  fault("keys-outlive-accounts", "serves requests of deactivated accounts")
    .breaks("authentication.deactivated-account")
    .actsAs("getUserStatus", "member", from("deactivated")),
  fault("private-channels-are-open", "shows the messages of private channels to all members")
    .breaks("authentication.private-channel")
    .always("getMessages", async (request, forward, known) => {
      const response = await forward(request);
      const body = jsonOf(response);
      const other = known.colleagueOf(request, "other");
      const isById = parametersOf(request).has("message_ids");
      if (response.status !== 200 || body === undefined || other === undefined || !isById) return response;
      const seen = listOf(jsonOf(await forward(asUser(request, other)))?.messages);
      const own = listOf(body.messages);
      const isAdded = ({ id, display_recipient: to }: Json) =>
        typeof to === "string" && !own.some((message) => message.id === id);
      const messages = [...own, ...seen.filter(isAdded)].sort((a, b) => Number(a.id) - Number(b.id));
      return withJson(response, { ...body, messages });
    }),
  fault("keys-of-any-format-accepted", "accepts keys that are not base64")
    .breaks("push.register.not-base64")
    .forgives("registerPushDevice", "push_public_key is not"),
  fault("history-rendered-twice", "returns the earlier content only in rendered form")
    .breaks("messages.get.edit-history-rendered")
    .changes("getMessages", "messages[].edit_history[].prev_content", (_, entry) => entry.prev_rendered_content),
  fault("history-names-sender", "names the sender of a message in every entry of its edit history")
    .breaks("messages.get.edit-history-editor")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.user_id = message.sender_id;
    }),
  fault("other-edit-times", "states times other than those of edits and moves")
    .breaks("messages.get.edit-times")
    .changesMessages((message) => {
      for (const holder of [message, ...listOf(message.edit_history)]) {
        for (const key of ["last_edit_timestamp", "last_moved_timestamp", "timestamp"]) {
          if (typeof holder[key] === "number") holder[key] -= tenDaysInSeconds;
        }
      }
    }),
  fault(
    "empty-topic-as-none",
    "returns `(none)` for the empty topic in the edit history if the client supports the empty topic",
  )
    .breaks("messages.get.empty-topic")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        for (const key of ["prev_topic", "topic"]) if (entry[key] === "") entry[key] = "(none)";
      }
    }),
  fault("public-channels-in-personal-history", "counts messages of public channels as part of the personal history")
    .breaks("messages.get.personal-history-only")
    .always("getMessages", async (request, forward) => {
      const response = await forward(request);
      const asked = parametersOf(request);
      const isBare = !asked.has("narrow") && !asked.has("message_ids");
      if (!isBare || response.status !== 200 || listOf(jsonOf(response)?.messages).length > 0) return response;
      const narrow = '[{"operator":"channels","operand":"public"}]';
      return forward(withParameters(request, (changed) => changed.set("narrow", narrow)));
    }),
  fault("public-search-with-personal-history", "also searches the personal history with the operator `channels`")
    .breaks("messages.get.public-channels-only")
    .always("getMessages", async (request, forward) => {
      const response = await forward(request);
      const [term] = listOf(listIn(parametersOf(request), "narrow"));
      const isEmpty = response.status === 200 && listOf(jsonOf(response)?.messages).length === 0;
      return term?.operator === "channels" && isEmpty
        ? forward(withParameters(request, (changed) => changed.delete("narrow")))
        : response;
    }),
  fault(
    "only-late-messages-counted",
    "counts only late messages in the error of a move that is late for a part of the topic",
  )
    .breaks("messages.edit.limit-total")
    .changesError("editMessage", (body) => {
      const { total_messages_in_topic: total, total_messages_allowed_to_move: allowed } = body;
      if (typeof total === "number" && typeof allowed === "number") body.total_messages_in_topic = total - allowed;
    }),
  fault("no-topic-reserved", "reserves the topic `(no topic)`, and refuses `content` with `change_all`")
    .breaks("messages.edit.topics-not-required-no-topic", "messages.edit.content-and-topic-change-all")
    .refuses("editMessage", (...edit) => {
      const isWithContent = all(has("content"), is("propagate_mode", "change_all"));
      return is("topic", "(no topic)")(...edit) || isWithContent(...edit);
    }),
  fault("uploads-of-any-size", "accepts a file above the limit")
    .breaks("uploads.create.too-large")
    .forgives("uploadFile", "Uploaded file is larger", {
      ...{ url: "/user_uploads/1/aa/file.txt", uri: "/user_uploads/1/aa/file.txt", filename: "file.txt" },
    }),
  fault("resumable-uploads-limited-with-400", "returns 400 for a resumable upload above the limit")
    .breaks("uploads.tus.too-large")
    .changesResponse("createResumableUpload", ({ status }) =>
      status === 413 ? withHeader(failure(), "Tus-Resumable", "1.0.0") : undefined,
    ),
  fault("objections-by-setting", "gives objections of settings the type `setting`")
    .breaks("user-groups.deactivate.objection-realm")
    .changes("deactivateUserGroup", "objections[].type", (type) => (type === "realm" ? "setting" : type)),
  fault("unknown-channels-accepted", "returns success if the channel of a topic does not exist")
    .breaks("topics.mute.unknown-channel-name")
    .forgives("updateMutedTopic", "Invalid channel name", {}, (parameters, request, known) =>
      known.setupsOf(request).every(({ params }) => params.name !== parameters.get("stream")),
    ),
  fault("ignored-list-never-empty", "lists `client_version` among the ignored parameters if there are no others")
    .breaks("conventions.ignored-parameters-only")
    .adds("all", "ignored_parameters_unsupported", ["client_version"]),
  fault("few-settings", "returns only some of the settings")
    .breaks("server-settings.get.fields")
    .omits(
      "getServerSettings",
      ...["authentication_methods", "external_authentication_methods", "service_merge_base", "is_incompatible"],
    ),
];
