import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesAnswer,
  changesError,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  jsonOf,
  parametersOf,
  refuses,
  refusesCaller,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { authorizationOf } from "../known-organizations.js";
import { withHeader } from "../wire.js";

/** Wrong handling of muted topics. */
export const topicFaults: readonly Fault[] = ofFamily("topics", [
  [
    "repeated-mute-refused",
    "rejects muting a muted topic",
    {
      on: ["updateMutedTopic"],
      start: () => {
        const muted = new Set<string>();
        return async (request, forward) => {
          const answer = await forward(request);
          const key = `${request.headers.find(([name]) => /^authorization$/i.test(name))?.[1]} ${request.body}`;
          if (answer.status !== 200 || !key.includes("op=add")) return answer;
          if (muted.has(key)) return failure(400, "BAD_REQUEST", "Topic already muted");
          muted.add(key);
          return answer;
        };
      },
    },
    ["topics.mute.repeated-add"],
    ["workflow topics-mute-repeatedly"],
  ],
  [
    "muting-without-subscription",
    "allows muting topics of any channel",
    forgives("updateMutedTopic", "Invalid channel"),
    ["topics.mute.add-subscribed", "topics.mute.remove-subscribed"],
    ["case updateMutedTopic/mute_not_subscribed", "case updateMutedTopic/unmute_not_subscribed"],
  ],
  [
    "both-channels-accepted",
    "uses the id if the request has both id and name of a channel",
    changesParameters(["updateMutedTopic"], (parameters) => {
      if (parameters.has("stream_id")) parameters.delete("stream");
    }),
    ["topics.mute.both-channels"],
    ["case updateMutedTopic/both_channels"],
  ],
  [
    "no-channel-accepted",
    "mutes a topic in all channels if the request has no channel",
    forgives("updateMutedTopic", "Please supply"),
    ["topics.mute.no-channel"],
    ["case updateMutedTopic/no_channel"],
  ],
  [
    "channel-name-ignored",
    "ignores the name of a channel",
    changesParameters(["updateMutedTopic"], (parameters) => parameters.delete("stream")),
    ["topics.mute.by-stream"],
    ["case updateMutedTopic/mute_by_name"],
  ],
  [
    "empty-topic-not-muted",
    "does not mute the empty topic",
    refuses("updateMutedTopic", (parameters) => parameters.get("topic") === ""),
    ["topics.mute.empty-topic"],
    ["case updateMutedTopic/empty_topic"],
  ],
  [
    "guests-may-not-mute",
    "does not allow guests to mute topics",
    refusesCaller(["updateMutedTopic"], "guest"),
    ["topics.mute.add-subscribed"],
    ["case updateMutedTopic/mute_by_guest"],
  ],
]);

/** Wrong handling of default channels. */
export const channelFaults: readonly Fault[] = ofFamily("channels", [
  [
    "private-default-channel",
    "accepts private channels as default channels",
    forgives("addDefaultChannel", "Private channels"),
    ["default-channels.add.private-channel"],
    ["case addDefaultChannel/private_channel"],
  ],
  [
    "add-default-without-permission",
    "allows any user to add default channels",
    forgives("addDefaultChannel", "Must be an organization administrator"),
    ["default-channels.add.administrators-only"],
    ["probe addDefaultChannel/by-"],
  ],
  [
    "moderators-may-remove-default",
    "allows moderators to remove default channels",
    always(["removeDefaultChannel"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const administrator = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "administrator");
      return caller?.caller === "moderator" && administrator !== undefined
        ? forward(withHeader(request, "Authorization", authorizationOf(administrator)))
        : forward(request);
    }),
    ["default-channels.remove.administrators-only"],
    ["probe removeDefaultChannel/by-moderator"],
  ],
  [
    "owners-may-not-add-default",
    "does not allow owners to add default channels",
    refusesCaller(["addDefaultChannel"], "owner"),
    ["authentication.owner-is-administrator"],
    ["case addDefaultChannel/by_owner"],
  ],
  [
    "missing-permission-forbidden",
    "returns 403 to callers who are not administrators",
    changesAnswer(["addDefaultChannel"], (answer) =>
      String(jsonOf(answer)?.msg).startsWith("Must be") ? { ...answer, status: 403 } : answer,
    ),
    ["default-channels.add.administrators-only", "errors.missing-permission", "errors.status"],
    ["probe addDefaultChannel/by-member"],
  ],
  [
    "unknown-default-channel-accepted",
    "returns success for an unknown channel",
    forgives("removeDefaultChannel", "Invalid channel ID"),
    ["default-channels.remove.invalid-channel"],
    ["case removeDefaultChannel/unknown_channel"],
  ],
]);

/** Wrong handling of subscriptions. */
export const subscriptionFaults: readonly Fault[] = ofFamily("subscriptions", [
  [
    "not-removed-omitted",
    "does not list channels to which the user was not subscribed",
    changesSuccess(["unsubscribe"], (body) => {
      body.not_removed = [];
    }),
    ["subscriptions.remove.not-removed"],
    ["case unsubscribe/other_user_never_joined"],
  ],
  [
    "all-listed-as-removed",
    "lists every channel as removed",
    changesSuccess(["unsubscribe"], (body) => {
      body.removed = [...(body.removed as string[]), ...(body.not_removed as string[])];
      body.not_removed = [];
    }),
    ["subscriptions.remove.not-removed"],
    ["case unsubscribe/other_user_never_joined"],
  ],
  [
    "principals-by-id-refused",
    "does not accept user ids in `principals`",
    refuses("unsubscribe", (parameters) => typeof listIn(parameters, "principals")[0] === "number"),
    ["subscriptions.remove.principals-by-id"],
    ["case unsubscribe/other_user_by_id"],
  ],
  [
    "only-first-principal",
    "unsubscribes only the first of several users",
    changesParameters(["unsubscribe"], (parameters) => {
      const principals = listIn(parameters, "principals");
      if (principals.length > 1) parameters.set("principals", JSON.stringify(principals.slice(0, 1)));
    }),
    ["subscriptions.remove.unsubscribed", "subscriptions.remove.principals-by-id"],
    ["subscriptions.remove"],
  ],
  [
    "only-first-channel",
    "unsubscribes from the first of several channels and lists all of them as removed",
    {
      on: ["unsubscribe"],
      start: () => async (request, forward) => {
        const names = parseJson(parametersOf(request).get("subscriptions") ?? "");
        if (!Array.isArray(names) || names.length < 2) return forward(request);
        const parameters = parametersOf(request);
        parameters.set("subscriptions", JSON.stringify(names.slice(0, 1)));
        const answer = await forward({ ...request, body: Buffer.from(String(parameters)) });
        const all = { result: "success", msg: "", removed: names, not_removed: [] };
        return answer.status === 200 ? { ...answer, body: Buffer.from(JSON.stringify(all)) } : answer;
      },
    },
    ["subscriptions.remove.unsubscribed"],
    ["workflow subscriptions-remove-only-named"],
  ],
  [
    "unsubscribe-others-without-permission",
    "allows any user to unsubscribe others",
    forgives("unsubscribe", "Insufficient permission", ({ request }) => ({
      removed: listIn(parametersOf(request), "subscriptions"),
      not_removed: [],
    })),
    ["subscriptions.remove.others-refused"],
    ["case unsubscribe/by_member"],
  ],
  [
    "group-of-another-channel-accepted",
    "applies can_remove_subscribers_group of one channel to others",
    always(["unsubscribe"], async (request, forward, known) => {
      const answer = await forward(request);
      const caller = known.callerOf(request);
      const isInGroup = known.valuesOf(caller?.organization ?? "").some(({ params }) => {
        const { can_remove_subscribers_group: group } = params;
        return Array.isArray(group) && group.includes(caller?.caller);
      });
      if (answer.status !== 400 || !isInGroup) return answer;
      const administrator = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "administrator");
      return administrator === undefined
        ? answer
        : forward(withHeader(request, "Authorization", authorizationOf(administrator)));
    }),
    ["subscriptions.remove.group-of-this-channel"],
    ["case unsubscribe/group_of_another_channel"],
  ],
  [
    "own-bot-not-unsubscribed",
    "does not allow users to unsubscribe their bots",
    always(["unsubscribe"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const bot = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "bot");
      const isOfBot = bot !== undefined && decodeURIComponent(String(request.body)).includes(bot.email);
      return caller?.caller === "member" && isOfBot
        ? failure(400, "BAD_REQUEST", "Insufficient permission")
        : forward(request);
    }),
    ["subscriptions.remove.bot-owner"],
    ["case unsubscribe/own_bot"],
  ],
  [
    "unknown-channel-not-removed",
    "lists an unknown channel as not removed",
    forgives("unsubscribe", "Channel", ({ refused }) => ({ removed: [], not_removed: [refused.stream] })),
    ["subscriptions.remove.unknown-channel"],
    ["case unsubscribe/unknown_channel"],
  ],
  [
    "unknown-channel-in-lower-case",
    "returns the name of the unknown channel in lower case",
    changesError(["unsubscribe"], (body) => {
      if (typeof body.stream === "string") body.stream = body.stream.toLowerCase();
    }),
    ["subscriptions.remove.unknown-channel-name"],
    ["subscriptions.remove.unknown-channel-name"],
  ],
  [
    "bad-principal-forbidden",
    "returns 403 and UNAUTHORIZED_PRINCIPAL, as before feature level 208",
    always(["unsubscribe"], async (request, forward) => {
      const answer = await forward(request);
      return /^(No such user|User is deactivated)/.test(String(jsonOf(answer)?.msg))
        ? failure(403, "UNAUTHORIZED_PRINCIPAL", "User not authorized for this query")
        : answer;
    }),
    ["subscriptions.remove.unknown-principal", "subscriptions.remove.deactivated-principal"],
    ["case unsubscribe/unknown_principal_by_id"],
  ],
  [
    "deactivated-principal-accepted",
    "returns success for deactivated users",
    forgives("unsubscribe", "User is deactivated", ({ request }) => ({
      removed: [],
      not_removed: listIn(parametersOf(request), "subscriptions"),
    })),
    ["subscriptions.remove.deactivated-principal"],
    ["case unsubscribe/deactivated_principal_by_email"],
  ],
]);

function listIn(parameters: URLSearchParams, name: string): unknown[] {
  const list = parseJson(parameters.get(name) ?? "");
  return Array.isArray(list) ? list : [];
}
