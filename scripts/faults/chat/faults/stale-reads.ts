import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { WireResponse } from "../wire.js";

/** Responses from a stale cache. */
export const staleReadFaults: readonly ChatFault[] = ofFamily("stale reads", [
  fault("messages-cached", "repeats its first response to a request for messages")
    .breaks("messages.edit.content", "messages.edit.editing-allowed")
    .checkedBy("workflow edit-history-of-content", "workflow editing-disallowed")
    .caches("getMessages"),
  fault("view-of-previous-user", "shows messages as the previous user saw them")
    .breaks("users.mute.only-for-muter", "users.mute.existing-messages-read")
    .checkedBy("workflow muting-users-existing-messages")
    .by(
      remembers(
        "getMessages",
        () => new Map<string, WireResponse>(),
        async (request, forward, seen, known) => {
          const key = `${known.callerOf(request)?.organization} ${request.target}`;
          const response = seen.get(key) ?? (await forward(request));
          if (response.status === 200) seen.set(key, response);
          return response;
        },
      ),
    ),
  fault("one-response-behind", "answers each request for messages with the response to the previous one")
    .breaks("messages.get.anchor-newest", "messages.get.anchor-oldest")
    .checkedBy("case getMessages/newest", "case getMessages/oldest", "case getMessages/around_a_message")
    .by(
      remembers(
        "getMessages",
        (): { response?: WireResponse } => ({}),
        async (request, forward, last) => {
          const response = await forward(request);
          const before = last.response ?? response;
          last.response = response;
          return before;
        },
      ),
    ),
  fault("status-cached", "repeats its first response to a request for the status of a user")
    .breaks("users.get-status.values")
    .checkedBy("workflow users-status-changed")
    .caches("getUserStatus"),
]);
