import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { findMessage } from "./find-message.js";

/**
 * Takes note that the caller types, or stops typing, while editing a message of their own. It is relayed to nobody, since events are
 * not part of the contract.
 *
 * Rule: "Typing status for editing".
 */
export function createSetEditTypingStatus({ database }: Services): Operation<"setEditTypingStatus"> {
  return ({ parameters, caller }) => {
    const message = findMessage(database, caller.user, parameters.message_id);
    if (message === undefined) throw badRequest("Invalid message(s)");
    if (message.sender_id !== caller.user.id) throw badRequest("You don't have permission to edit this message");
    return undefined;
  };
}
