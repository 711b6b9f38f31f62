import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesAnswer,
  changesError,
  changesMessages,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  success,
  withJson,
  withParameters,
} from "../changes.js";
import { channelRecommendationFaults } from "../faults/recommendations-on-channels.js";
import { userRecommendationFaults } from "../faults/recommendations-on-users.js";
import { asUser } from "../requests.js";
import type { Deviation } from "../variation.js";
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
  ...[...userRecommendationFaults, ...channelRecommendationFaults]
    .filter(({ name }) => independentFaults.includes(name))
    .map(({ name, summary, behaviour, breaks }) => ({ name, summary, behaviour, deviatesFrom: breaks })),
  {
    name: "channel-operator-unsupported",
    summary: "does not support the operator `channel`",
    behaviour: changesParameters(["getMessages"], (parameters) => {
      const terms = termsOf(parameters);
      if (!parameters.has("narrow") || !Array.isArray(terms)) return;
      const renamed = terms.map((term: unknown) => {
        if (isJson(term) && term.operator === "channel") return { ...term, operator: "unknown" };
        return Array.isArray(term) && term[0] === "channel" ? ["unknown", ...term.slice(1)] : term;
      });
      // Another narrow stays as it is: it may be nested too deeply to be written again.
      if (renamed.every((term, index) => term === terms[index])) return;
      parameters.set("narrow", JSON.stringify(renamed));
    }),
    deviatesFrom: ["messages.get.channel-operator-name"],
  },
  {
    name: "descending",
    summary: "sorts messages by descending id",
    behaviour: changesSuccess(["getMessages"], (body) => {
      body.messages = listOf(body.messages).reverse();
    }),
    deviatesFrom: ["messages.get.ascending"],
  },
  {
    name: "group-syntax-unsupported",
    summary: "does not support `(?P<name>…)`",
    behaviour: changesParameters(["updateLinkifier"], (parameters) => {
      if ((parameters.get("pattern") ?? "").includes("(?P<")) parameters.set("pattern", "(");
    }),
    deviatesFrom: ["linkifiers.update.group-syntax"],
  },
  {
    name: "reminders-in-another-conversation",
    summary: "lets the notification bot write to a conversation that the caller does not read",
    behaviour: changesSuccess(["getMessages"], (body) => {
      body.messages = listOf(body.messages).filter(({ sender_full_name: name, display_recipient: to }) => {
        return !(Array.isArray(to) && name === "Notification Bot");
      });
    }),
    deviatesFrom: ["reminders.create.recipient"],
  },
  {
    name: "owners-not-administrators",
    summary: "allows administrator operations to administrators but not to owners",
    behaviour: always(
      ["addDefaultChannel", "removeDefaultChannel", "createProfileField", "unsubscribe"],
      (request, forward, known) => {
        const isOwner = known.callerOf(request)?.caller === "owner";
        const concernsOwner = request.operationId === "unsubscribe" && !parametersOf(request).has("principals");
        return isOwner && !concernsOwner
          ? failure(400, "BAD_REQUEST", "Must be an organization administrator")
          : forward(request);
      },
    ),
    deviatesFrom: ["authentication.owner-is-administrator"],
  },
  {
    name: "keys-outlive-accounts",
    summary: "serves requests of deactivated accounts",
    behaviour: always(["getUserStatus"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const other = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "member");
      return forward(caller?.caller === "deactivated" && other !== undefined ? asUser(request, other) : request);
    }),
    deviatesFrom: ["authentication.deactivated-account"],
  },
  {
    name: "private-channels-are-open",
    summary: "shows the messages of private channels to all members",
    behaviour: always(["getMessages"], async (request, forward, known) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const users = known.usersOf(known.callerOf(request)?.organization ?? "");
      const other = users.find(({ caller }) => caller === "other");
      const asked = parametersOf(request);
      if (answer.status !== 200 || body === undefined || other === undefined || !asked.has("message_ids"))
        return answer;
      const seen = listOf(jsonOf(await forward(asUser(request, other)))?.messages);
      const own = listOf(body.messages);
      const added = seen.filter(
        ({ id, display_recipient: to }) => typeof to === "string" && !own.some((message) => message.id === id),
      );
      return withJson(answer, { ...body, messages: [...own, ...added].sort((a, b) => Number(a.id) - Number(b.id)) });
    }),
    deviatesFrom: ["authentication.private-channel"],
  },
  {
    name: "keys-of-any-format-accepted",
    summary: "accepts keys that are not base64",
    behaviour: forgives("registerPushDevice", "push_public_key is not"),
    deviatesFrom: ["push.register.not-base64"],
  },
  {
    name: "history-rendered-twice",
    summary: "returns the earlier content only in rendered form",
    behaviour: changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        if (entry.prev_content !== undefined) entry.prev_content = entry.prev_rendered_content;
      }
    }),
    deviatesFrom: ["messages.get.edit-history-rendered"],
  },
  {
    name: "history-names-sender",
    summary: "names the sender of a message in every entry of its edit history",
    behaviour: changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.user_id = message.sender_id;
    }),
    deviatesFrom: ["messages.get.edit-history-editor"],
  },
  {
    name: "other-edit-times",
    summary: "states times other than those of edits and moves",
    behaviour: changesMessages((message) => {
      for (const holder of [message, ...listOf(message.edit_history)]) {
        for (const key of ["last_edit_timestamp", "last_moved_timestamp", "timestamp"]) {
          if (typeof holder[key] === "number") holder[key] -= tenDaysInSeconds;
        }
      }
    }),
    deviatesFrom: ["messages.get.edit-times"],
  },
  {
    name: "empty-topic-as-none",
    summary: "returns `(none)` for the empty topic in the edit history if the client supports the empty topic",
    behaviour: changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        for (const key of ["prev_topic", "topic"]) if (entry[key] === "") entry[key] = "(none)";
      }
    }),
    deviatesFrom: ["messages.get.empty-topic"],
  },
  {
    name: "public-channels-in-personal-history",
    summary: "counts messages of public channels as part of the personal history",
    behaviour: always(["getMessages"], async (request, forward) => {
      const answer = await forward(request);
      const asked = parametersOf(request);
      const isBare = !asked.has("narrow") && !asked.has("message_ids");
      if (!isBare || answer.status !== 200 || listOf(jsonOf(answer)?.messages).length > 0) return answer;
      return forward(
        withParameters(request, (changed) => changed.set("narrow", '[{"operator":"channels","operand":"public"}]')),
      );
    }),
    deviatesFrom: ["messages.get.personal-history-only"],
  },
  {
    name: "public-search-with-personal-history",
    summary: "also searches the personal history with the operator `channels`",
    behaviour: always(["getMessages"], async (request, forward) => {
      const answer = await forward(request);
      const [term] = listOf(termsOf(parametersOf(request)));
      const isEmpty = answer.status === 200 && listOf(jsonOf(answer)?.messages).length === 0;
      return term?.operator === "channels" && isEmpty
        ? forward(withParameters(request, (changed) => changed.delete("narrow")))
        : answer;
    }),
    deviatesFrom: ["messages.get.public-channels-only"],
  },
  {
    name: "only-late-messages-counted",
    summary: "counts only late messages in the error of a move that is late for a part of the topic",
    behaviour: changesError(["editMessage"], (body) => {
      const { total_messages_in_topic: total, total_messages_allowed_to_move: allowed } = body;
      if (typeof total === "number" && typeof allowed === "number") body.total_messages_in_topic = total - allowed;
    }),
    deviatesFrom: ["messages.edit.limit-total"],
  },
  {
    name: "no-topic-reserved",
    summary: "reserves the topic `(no topic)`, and refuses `content` with `change_all`",
    behaviour: refuses("editMessage", (parameters) => {
      const isWithContent = parameters.has("content") && parameters.get("propagate_mode") === "change_all";
      return parameters.get("topic") === "(no topic)" || isWithContent;
    }),
    deviatesFrom: ["messages.edit.topics-not-required-no-topic", "messages.edit.content-and-topic-change-all"],
  },
  {
    name: "uploads-of-any-size",
    summary: "accepts a file above the limit",
    behaviour: forgives("uploadFile", "Uploaded file is larger", () => {
      const url = "/user_uploads/1/aa/file.txt";
      return { url, uri: url, filename: "file.txt" };
    }),
    deviatesFrom: ["uploads.create.too-large"],
  },
  {
    name: "resumable-uploads-limited-with-400",
    summary: "returns 400 for a resumable upload above the limit",
    behaviour: changesAnswer(["createResumableUpload"], (answer) =>
      answer.status === 413 ? withHeader(failure(400, "BAD_REQUEST", "Too large"), "Tus-Resumable", "1.0.0") : answer,
    ),
    deviatesFrom: ["uploads.tus.too-large"],
  },
  {
    name: "objections-by-setting",
    summary: "gives objections of settings the type `setting`",
    behaviour: changesError(["deactivateUserGroup"], (body) => {
      for (const objection of listOf(body.objections)) if (objection.type === "realm") objection.type = "setting";
    }),
    deviatesFrom: ["user-groups.deactivate.objection-realm"],
  },
  {
    name: "unknown-channels-accepted",
    summary: "returns success if the channel of a topic does not exist",
    behaviour: always(["updateMutedTopic"], async (request, forward, known) => {
      const answer = await forward(request);
      const made = known.valuesOf(known.callerOf(request)?.organization ?? "").map(({ params }) => params.name);
      const isUnknown = !made.includes(parametersOf(request).get("stream"));
      return isUnknown && String(jsonOf(answer)?.msg).startsWith("Invalid channel name") ? success() : answer;
    }),
    deviatesFrom: ["topics.mute.unknown-channel-name"],
  },
  {
    name: "ignored-list-never-empty",
    summary: "lists `client_version` among the ignored parameters if there are no others",
    behaviour: changesSuccess("all", (body) => {
      body.ignored_parameters_unsupported ??= ["client_version"];
    }),
    deviatesFrom: ["conventions.ignored-parameters-only"],
  },
  {
    name: "few-settings",
    summary: "returns only some of the settings",
    behaviour: changesSuccess(["getServerSettings"], (body) => {
      for (const field of ["authentication_methods", "external_authentication_methods", "service_merge_base"]) {
        delete body[field];
      }
      delete body.is_incompatible;
    }),
    deviatesFrom: ["server-settings.get.fields"],
  },
];

function termsOf(parameters: URLSearchParams): unknown {
  return parseJson(parameters.get("narrow") ?? "[]");
}
