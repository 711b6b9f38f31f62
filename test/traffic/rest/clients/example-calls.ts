import { createHash } from "node:crypto";
import type { Call } from "./exchanges.js";

/** The SHA-256 digest of a text, in hex digits. */
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A request for the settings of a server, with its level and further fields in the answer. */
export const settings = (level?: number, others: object = {}): Call => [
  "getServerSettings",
  {},
  { answer: { service_feature_level: level, ...others } },
];

/** A request for the settings of a server of the newest level, which sends push notifications. */
export const newest = settings(415, { push_notifications_enabled: true });

/** The parameters of a request for the newest messages. */
export const range = { anchor: "newest", num_before: 1000, num_after: 0 };

/** A message with rendered content. */
export const html = {
  id: 21,
  content: "<p>Who is there</p>",
  content_type: "text/html",
  display_recipient: "Denmark",
};

/** The message with raw content. */
export const raw = { ...html, content: "Who is there", content_type: "text/x-markdown" };

/** A direct message. */
export const direct = { ...html, id: 22, display_recipient: [{ id: 9 }, { id: 10 }] };

/** The answer to a late move, which names the first message that may be moved. */
export const limited = (first: number | null) => ({
  code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
  first_message_id_allowed_to_move: first,
  total_messages_in_topic: 9,
  total_messages_allowed_to_move: first === null ? 0 : 3,
});

/** A refusal because of a rate limit. */
export const tooMany = (retryAfter: string) => ({
  status: 429,
  answer: { code: "RATE_LIMIT_HIT" },
  responseHeaders: { "retry-after": retryAfter },
});

/** The parameters that register a device. */
export const device = {
  token_kind: "android",
  push_account_id: 7_261_930_482,
  push_public_key: "w8Z3Jn9o0mYdZ4tN7q3bq8u2m1Qh5Cq1y+0dXk7vJkA=",
  bouncer_public_key: "f2Qm6ZrT0h8pEwXK1cJ5uYb7sVnL3aGd9oRiHkPqMxU=",
  encrypted_push_registration: "b3XkT1u9Zb0v2Qq8sJmCwE7yLrN4hGdPaIo5fKxMzUcVtB6R+eWnSjHl/DgYpAOi",
};
