import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { findChannel } from "./find-channel.js";

/**
 * Makes a channel no default channel; one that is none stays none. That the caller is an administrator has been checked before
 * (Remove a default channel).
 */
export function createRemoveDefaultChannel({ database }: Services): Operation<"removeDefaultChannel"> {
  return ({ parameters, caller }) =>
    database.transaction(() => {
      const channel = findChannel(database, caller.user, parameters.stream_id);
      if (channel === undefined) return badRequest("Invalid channel ID");
      database.run(database.sql.updateTable("channel").set({ is_default: false }).where("id", "=", channel.id));
      return undefined;
    });
}
