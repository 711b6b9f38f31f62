import { ofFamily } from "../../fault.js";
import { from, has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, isError, listIn, parametersOf, success, withParameters } from "../messages.js";

/** Wrong handling of muted topics. */
export const topicFaults: readonly ChatFault[] = ofFamily("topics", [
  fault("repeated-mute-refused", "rejects muting a muted topic")
    .breaks("topics.mute.repeated-add")
    .checkedBy("workflow topics-mute-repeatedly")
    .refusesSecond("updateMutedTopic", (parameters, { body }) => (parameters.get("op") === "add" ? body : undefined)),
  fault("both-channels-accepted", "uses the id if the request has both id and name of a channel")
    .breaks("topics.mute.both-channels")
    .ignores("updateMutedTopic", "stream", has("stream_id")),
]);

/** Wrong handling of default channels. */
export const channelFaults: readonly ChatFault[] = ofFamily("channels", [
  fault("moderators-may-remove-default", "allows moderators to remove default channels")
    .breaks("default-channels.remove.administrators-only")
    .checkedBy("probe removeDefaultChannel/by-moderator")
    .actsAs("removeDefaultChannel", "administrator", from("moderator")),
  fault("missing-permission-forbidden", "returns 403 to callers who are not administrators")
    .breaks("default-channels.add.administrators-only", "errors.missing-permission", "errors.status")
    .checkedBy("probe addDefaultChannel/by-member")
    .changesResponse("addDefaultChannel", (response) =>
      isError(response, "Must be") ? { ...response, status: 403 } : undefined,
    ),
]);

/** Wrong handling of subscriptions. */
export const subscriptionFaults: readonly ChatFault[] = ofFamily("subscriptions", [
  fault("all-listed-as-removed", "lists every channel as removed")
    .breaks("subscriptions.remove.not-removed")
    .checkedBy("case unsubscribe/other_user_never_joined")
    .changesSuccess("unsubscribe", (body) => {
      body.removed = [...(body.removed as string[]), ...(body.not_removed as string[])];
      body.not_removed = [];
    }),
  fault("only-first-principal", "unsubscribes only the first of several users")
    .breaks("subscriptions.remove.unsubscribed", "subscriptions.remove.principals-by-id")
    .checkedBy("subscriptions.remove")
    .readsList("unsubscribe", "principals", (principals) => principals.slice(0, 1)),
  fault("only-first-channel", "unsubscribes from the first of several channels and lists all of them as removed")
    .breaks("subscriptions.remove.unsubscribed")
    .checkedBy("workflow subscriptions-remove-only-named")
    .always("unsubscribe", async (request, forward) => {
      const names = listIn(parametersOf(request), "subscriptions");
      if (names.length < 2) return forward(request);
      const first = JSON.stringify(names.slice(0, 1));
      const response = await forward(withParameters(request, (parameters) => parameters.set("subscriptions", first)));
      return response.status === 200 ? success({ removed: names, not_removed: [] }) : response;
    }),
  fault("group-of-another-channel-accepted", "applies can_remove_subscribers_group of one channel to others")
    .breaks("subscriptions.remove.group-of-this-channel")
    .retriesAs("unsubscribe", "administrator", (_, request, known) =>
      known
        .setupsOf(request)
        .some(
          ({ params: { can_remove_subscribers_group: group } }) =>
            Array.isArray(group) && group.includes(known.callerOf(request)?.caller),
        ),
    ),
  fault("unknown-channel-in-lower-case", "returns the name of the unknown channel in lower case")
    .breaks("subscriptions.remove.unknown-channel-name")
    .changes("unsubscribe", "stream", (name) => String(name).toLowerCase()),
  fault("bad-principal-forbidden", "returns 403 and UNAUTHORIZED_PRINCIPAL, as before feature level 208")
    .breaks("subscriptions.remove.unknown-principal", "subscriptions.remove.deactivated-principal")
    .checkedBy("case unsubscribe/unknown_principal_by_id")
    .changesResponse("unsubscribe", (response) =>
      isError(response, "No such user") || isError(response, "User is deactivated")
        ? failure(403, "UNAUTHORIZED_PRINCIPAL")
        : undefined,
    ),
]);
