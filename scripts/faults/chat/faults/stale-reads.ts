import type { Behaviour, OperationId } from "../behaviour.js";
import { type Fault, ofFamily } from "../fault.js";
import { headerOf, type WireResponse } from "../wire.js";

/** Answers from a memory that is not brought up to date. */
export const staleReadFaults: readonly Fault[] = ofFamily("stale reads", [
  [
    "messages-cached",
    "answers a question about messages as it did the first time",
    caches("getMessages"),
    ["messages.edit.content", "messages.edit.editing-allowed"],
    ["workflow edit-history-of-content", "workflow editing-disallowed"],
  ],
  [
    "own-view-for-others",
    "shows a user messages as the user before saw them",
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
    "one-answer-behind",
    "answers each question about messages with the answer to the one before",
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
    "answers the status of a user as it was when it was asked for first",
    caches("getUserStatus"),
    ["users.get-status.values"],
    ["workflow users-status-changed"],
  ],
]);

/** Answers each question of a caller as it was answered first. */
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
