import type { LostRequest } from "../../judge/exchange.js";
import type { NoAnswerError } from "../http/no-answer-error.js";

/** Whether the server had the request, so that it may have ended or blocked the server. */
export function isSuspect({ kind }: LostRequest): boolean {
  return kind === "dropped" || kind === "unreadable" || kind === "timeout";
}

/** How a request without a response ends a check. `rules` are those of its step, which it breaks if the operation has no rule about responses. */
export function endWithoutAnswer(
  { kind, message: reason, about, isUnread }: NoAnswerError,
  rules: readonly string[],
):
  | { readonly kind: "not-run"; readonly reason: string; readonly isAnswered: false; readonly lost: LostRequest }
  | { readonly kind: "not-shown"; readonly reason: string; readonly lost: LostRequest } {
  const { request = "a request", operation, rules: own = rules } = about ?? {};
  const lost = {
    ...{ kind, request, rules: own, operation },
    ...(isUnread ? { isUnread } : {}),
  };
  return kind === "gateway"
    ? { kind: "not-shown", reason, lost }
    : { kind: "not-run", reason, isAnswered: false, lost };
}
