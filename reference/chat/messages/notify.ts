import type { Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { findConversation } from "./destination.js";
import { sendMessage } from "./send-message.js";

/** Sends a user a direct message of the notification bot, in which only names that the user may know are resolved. Returns its id. Throws when the organization has no such bot. */
export function notify(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  userId: number,
  content: string,
): number {
  const { notification_bot_id: botId } = realm;
  if (botId === null) throw new Error(`organization ${realm.id} has no notification bot`);
  const conversationId = findConversation(services.database, realm.id, [botId, userId]);
  const to = { kind: "direct", conversationId } as const;
  return sendMessage(services, { realm, senderId: botId, onBehalfOf: userId, to, content });
}
