import type { Realm } from "../../storage/tables.js";

/** What decides whether the content of a message can be edited. */
export interface ContentEdit {
  readonly settings: Pick<Realm, "allow_message_editing" | "message_content_edit_limit_seconds">;
  readonly isSender: boolean;
  /** How long ago the message was sent. */
  readonly ageSeconds: number;
}

/**
 * Why a caller may not edit the content of a message; undefined when they may. Only the sender may, and the time limit exempts
 * nobody.
 *
 * Rule: "Edit a message", rule 2 (allow_message_editing, message_content_edit_limit_seconds).
 */
export function contentRefusal({ settings, isSender, ageSeconds }: ContentEdit): string | undefined {
  if (settings.allow_message_editing === 0) return "Your organization has turned off message editing";
  if (!isSender) return "You don't have permission to edit this message";
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && ageSeconds > limit) return "The time limit for editing this message has passed";
  return undefined;
}
