import { badRequest } from "../bad-request.js";
import { secondsNow } from "../clock.js";
import type { Operation, Services } from "../services.js";
import { findVisibleUser } from "./find-visible-user.js";
import { recordMute } from "./record-mute.js";

/**
 * Mutes a user for the caller (Mute a user; States and transitions). A user whom the caller has no access to is answered like one
 * who does not exist; so are bots below level 188. Deactivated users can be muted, since their messages remain.
 */
export function createMuteUser({ database, clock, behaviour }: Services): Operation<"muteUser"> {
  return ({ parameters: { muted_user_id: mutedId }, caller: { user, realm } }) =>
    database.transaction(() => {
      if (mutedId === user.id) return badRequest("Cannot mute self");
      const muted = findVisibleUser(database, user, mutedId);
      if (muted === undefined || (muted.is_bot === 1 && !behaviour.mutableBots)) return badRequest("No such user");
      const isNew = recordMute(database, { muterId: user.id, mutedId, at: secondsNow(clock, realm) });
      return isNew ? undefined : badRequest("User already muted");
    });
}
