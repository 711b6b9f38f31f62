import type { CallParameters } from "../../../../src/chat/operation-types.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import { badRequest } from "../../refusals.js";

/** The requested part of the matching messages. */
export type PageRequest =
  | { readonly kind: "ids"; readonly ids: readonly number[] }
  | {
      readonly kind: "range";
      readonly anchor: number | "newest" | "oldest" | "first_unread";
      readonly before: number;
      readonly after: number;
      readonly includeAnchor: boolean;
    };

/** The anchor of the newest message, which is the maximum anchor. */
export const newestAnchor = 10_000_000_000_000_000;
/** The anchor of the oldest message. */
export const oldestAnchor = 0;

/** Maximum messages per request (Limits). */
const maxMessages = 5000;

type Parameters = CallParameters<"getMessages">;

const excludedByIds = ["anchor", "include_anchor", "num_before", "num_after", "use_first_unread_anchor"] as const;

/**
 * Reads the requested page. Throws a refusal if parameters are missing, exclude each other, or request too many messages (Get
 * messages; Limits).
 */
export function readPageRequest(parameters: Parameters, behaviour: LevelBehaviour): PageRequest {
  const { message_ids: ids, num_before: before, num_after: after, include_anchor: includeAnchor = true } = parameters;
  if (ids !== undefined) {
    const excluded = excludedByIds.find((name) => parameters[name] !== undefined);
    if (excluded !== undefined) throw badRequest(`Argument '${excluded}' cannot be used with 'message_ids'`);
    if (ids.length > maxMessages) throw tooManyMessages();
    return { kind: "ids", ids };
  }
  const anchor = readAnchor(parameters, behaviour);
  const counted = { num_before: before, num_after: after };
  for (const [name, count] of Object.entries(counted)) {
    if (count === undefined) throw badRequest(`Missing '${name}' argument`);
    if (count < 0) throw badRequest(`Argument '${name}' must not be negative`);
  }
  const range = { kind: "range", anchor, before: before ?? 0, after: after ?? 0, includeAnchor } as const;
  if (range.before + range.after > maxMessages) throw tooManyMessages();
  return range;
}

function readAnchor(
  { anchor, use_first_unread_anchor: useFirstUnread = false }: Parameters,
  { stringAnchors }: LevelBehaviour,
) {
  if (anchor !== undefined && useFirstUnread) {
    throw badRequest("Argument 'use_first_unread_anchor' cannot be used with 'anchor'");
  }
  if (useFirstUnread) return "first_unread";
  if (anchor === undefined) return "newest";
  if (typeof anchor === "string") {
    if (!stringAnchors) throw badRequest("Argument 'anchor' must be an integer");
    return anchor;
  }
  return Math.min(Math.max(anchor, -newestAnchor), newestAnchor);
}

function tooManyMessages() {
  return badRequest(`A request may ask for at most ${maxMessages} messages`);
}
