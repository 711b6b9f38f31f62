import type { Behaviour, OperationId } from "../behaviour.js";
import { type Fault, ofFamily } from "../fault.js";
import { headerOf, type WireResponse } from "../wire.js";

/** Responses from a stale cache. */
export const staleReadFaults: readonly Fault[] = ofFamily("stale reads", [
  [
    "messages-cached",
    "repeats its first response to a request for messages",
    caches("getMessages"),
    ["messages.edit.content", "messages.edit.editing-allowed"],
    ["workflow edit-history-of-content", "workflow editing-disallowed"],
  ],
  [
    "view-of-previous-user",
    "shows messages as the previous user saw them",
    {
      on: ["getMessages"],
      start: (known) => {
        const seen = new Map<string, WireResponse>();
        return async (request, forward) => {
          const key = `${known.callerOf(request)?.organization} ${request.target}`;
          const answer = seen.get(key) ?? (await forward(request));
          if (answer.status === 200) seen.set(key, answer);
          return answer;
        };
      },
    },
    ["users.mute.only-for-muter", "users.mute.existing-messages-read"],
    ["workflow muting-users-existing-messages"],
  ],
  [
    "one-response-behind",
    "answers each request for messages with the response to the previous one",
    {
      on: ["getMessages"],
      start: () => {
        let last: WireResponse | undefined;
        return async (request, forward) => {
          const answer = await forward(request);
          const before = last ?? answer;
          last = answer;
          return before;
        };
      },
    },
    ["messages.get.anchor-newest", "messages.get.anchor-oldest"],
    ["case getMessages/newest", "case getMessages/oldest", "case getMessages/around_a_message"],
  ],
  [
    "status-cached",
    "repeats its first response to a request for the status of a user",
    caches("getUserStatus"),
    ["users.get-status.values"],
    ["workflow users-status-changed"],
  ],
]);

/** Repeats the first response to each distinct request of a caller. */
export function caches(on: OperationId): Behaviour {
  return {
    on: [on],
    start: () => {
      const seen = new Map<string, WireResponse>();
      return async (request, forward) => {
        const key = `${headerOf(request, "Authorization")} ${request.target}`;
        const answer = seen.get(key) ?? (await forward(request));
        if (answer.status === 200) seen.set(key, answer);
        return answer;
      };
    },
  };
}
