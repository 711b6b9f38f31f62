import { parseJson } from "../../../../src/parse-json.js";
import { always, changesParameters, failure, jsonOf, parametersOf, success, withJson } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { authorizationOf } from "../known-organizations.js";
import { readMessage } from "../read-message.js";
import { headerOf, type WireRequest, type WireResponse } from "../wire.js";

const callerAndPath = (request: WireRequest) => `${headerOf(request, "Authorization")} ${request.target.split("?")[0]}`;

/** Successful responses without the effect. */
export const lostWriteFaults: readonly Fault[] = ofFamily("lost writes", [
  [
    "edit-lost",
    "returns success for an edit and keeps the content",
    always(["editMessage"], async (request, forward) => {
      const message = await readMessage(request, forward, { apply_markdown: "false" });
      const parameters = parametersOf(request);
      const isEdit = parameters.has("content") && !parameters.has("topic") && !parameters.has("stream_id");
      if (!isEdit || message === undefined) return forward(request);
      parameters.set("content", String(message.content));
      return forward({ ...request, body: Buffer.from(String(parameters)) });
    }),
    ["messages.edit.content"],
    ["workflow editing-content"],
  ],
  [
    "move-lost",
    "returns success for a change of the topic and keeps the topic",
    always(["editMessage"], (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isKnown = known
        .valuesOf(organization)
        .some(({ values }) => JSON.stringify(values).includes(String(request.path.message_id)));
      const parameters = parametersOf(request);
      const isMove = parameters.has("topic") && !parameters.has("content") && !parameters.has("stream_id");
      return isMove && isKnown ? success({ detached_uploads: [] }) : forward(request);
    }),
    ["messages.edit.topic"],
    ["workflow moving-change-one"],
  ],
  [
    "unsubscription-lost",
    "lists users as unsubscribed and keeps their subscriptions",
    {
      on: ["unsubscribe"],
      start: (known) => {
        const removed = new Set<string>();
        return async (request, forward) => {
          const answer = await forward(request);
          const body = jsonOf(answer);
          if (answer.status !== 200 || body === undefined) return answer;
          const caller = known.callerOf(request);
          const users = known.usersOf(caller?.organization ?? "");
          const principals = parseJson(parametersOf(request).get("principals") ?? "") ?? [caller?.userId];
          const ids = (principals as unknown[]).map((one) => users.find(({ email }) => email === one)?.userId ?? one);
          const key = (name: unknown) => `${caller?.organization} ${ids} ${name}`;
          const again = (body.not_removed as string[]).filter((name) => removed.has(key(name)));
          for (const name of body.removed as string[]) removed.add(key(name));
          return withJson(answer, {
            ...body,
            removed: [...(body.removed as string[]), ...again],
            not_removed: (body.not_removed as string[]).filter((name) => !again.includes(name)),
          });
        };
      },
    },
    ["subscriptions.remove.unsubscribed"],
    ["workflow subscriptions-remove-twice"],
  ],
  [
    "mute-without-effect",
    "records who is muted and leaves their messages unread",
    {
      on: ["muteUser"],
      start: (known) => {
        const muted = new Set<string>();
        return (request, forward) => {
          const caller = known.callerOf(request);
          const users = known.usersOf(caller?.organization ?? "");
          const target = users.find(({ userId }) => String(userId) === request.path.muted_user_id);
          if (target === undefined || caller === undefined || target === caller) return forward(request);
          if (headerOf(request, "Authorization") !== authorizationOf(caller)) return forward(request);
          const key = callerAndPath(request);
          if (muted.has(key)) return forward(request);
          muted.add(key);
          return success();
        };
      },
    },
    ["users.mute.existing-messages-read", "users.mute.new-messages-read"],
    ["workflow muting-users"],
  ],
  [
    "deletion-lost",
    "returns success for every deletion of an attachment and keeps it",
    {
      on: ["deleteAttachment"],
      start: () => {
        const deleted = new Set<string>();
        return async (request, forward) => {
          const answer = await forward(request);
          const key = callerAndPath(request);
          if (answer.status === 200) deleted.add(key);
          return answer.status === 400 && deleted.has(key) ? success() : answer;
        };
      },
    },
    ["attachments.delete.deleted"],
    ["workflow attachments-delete-twice"],
  ],
  [
    "cancellation-lost",
    "sends cancelled scheduled messages",
    {
      on: ["deleteScheduledMessage"],
      start: (known) => {
        const cancelled = new Set<string>();
        return (request, forward) => {
          const { organization = "" } = known.callerOf(request) ?? {};
          const key = callerAndPath(request);
          const exists = known
            .valuesOf(organization)
            .some(({ values }) => String(values.scheduled_message_id) === request.path.scheduled_message_id);
          if (!exists) return forward(request);
          if (cancelled.has(key)) return failure(400, "BAD_REQUEST", "Scheduled message does not exist");
          cancelled.add(key);
          return success();
        };
      },
    },
    ["scheduled-messages.delete.not-sent"],
    ["workflow scheduled-message-cancelled"],
  ],
  [
    "linkifier-not-updated",
    "returns success for an update of a linkifier and keeps the old one",
    always(["updateLinkifier"], (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const exists = known
        .valuesOf(organization)
        .some(({ values }) => String(values.filter_id) === request.path.filter_id);
      return exists ? success() : forward(request);
    }),
    ["linkifiers.update.pattern", "linkifiers.update.url-template"],
    ["workflow linkifiers-group-inserted"],
  ],
  [
    "role-not-changed",
    "returns success for a change of the role and keeps the role",
    changesParameters(["updateUserByEmail"], (parameters) => {
      if (parameters.has("role")) parameters.set("full_name", parameters.get("full_name") ?? "Somebody");
      parameters.delete("role");
    }),
    ["users.update-by-email.role"],
    ["workflow users-role-gives-rights"],
  ],
  [
    "address-not-changed",
    "returns success for a change of the address and keeps the address",
    changesParameters(["updateUserByEmail"], (parameters) => {
      if (parameters.has("new_email")) parameters.set("full_name", "Somebody");
      parameters.delete("new_email");
    }),
    ["users.update-by-email.new-email"],
    ["workflow users-new-email-names-user"],
  ],
  [
    "account-not-deactivated",
    "returns success when a user deactivates their own account, and keeps it active",
    always(["deactivateOwnUser"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const isPlain = caller !== undefined && ["member", "other"].includes(caller.caller);
      const isAlone = known.usersOf(caller?.organization ?? "").length < 2;
      const hasKey = caller !== undefined && headerOf(request, "Authorization") === authorizationOf(caller);
      return isPlain && !isAlone && hasKey ? success() : forward(request);
    }),
    ["users.deactivate-own.deactivated"],
    ["workflow users-deactivate-own"],
  ],
  [
    "token-not-removed",
    "returns success for every removal of a token and keeps it",
    {
      on: ["removeAndroidToken"],
      start: () => {
        const removed = new Set<string>();
        return async (request, forward) => {
          const answer = await forward(request);
          const key = `${callerAndPath(request)} ${request.body}`;
          if (answer.status === 200) removed.add(key);
          return answer.status === 400 && removed.has(key) ? success() : answer;
        };
      },
    },
    ["push.remove-android-token.removed", "push.remove-android-token.unknown-token"],
    ["workflow push-remove-android-token-twice"],
  ],
  [
    "view-not-removed",
    "returns success for every removal of a navigation view and keeps it",
    {
      on: ["removeNavigationView"],
      start: () => {
        const removed = new Set<string>();
        return async (request, forward) => {
          const answer = await forward(request);
          if (answer.status === 200) removed.add(callerAndPath(request));
          return answer.status === 400 && removed.has(callerAndPath(request)) ? success() : answer;
        };
      },
    },
    ["navigation-views.remove.removed", "navigation-views.remove.unknown-fragment"],
    ["workflow navigation-views-remove-twice"],
  ],
  [
    "every-second-write-lost",
    "returns success for every second write of a user without executing it",
    {
      on: ["addDefaultChannel", "createProfileField"],
      start: () => {
        const last = new Map<string, WireResponse>();
        return async (request, forward) => {
          const key = callerAndPath(request);
          const before = last.get(key);
          last.delete(key);
          if (before !== undefined) return before;
          const answer = await forward(request);
          if (answer.status === 200) last.set(key, answer);
          return answer;
        };
      },
    },
    ["profile-fields.create.third-in-summary", "profile-fields.create.two-in-summary"],
    ["workflow profile-fields-third-in-summary"],
  ],
]);
