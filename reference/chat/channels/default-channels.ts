import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import { findChannel } from "./find-channel.js";

/**
 * Makes a channel a default channel; one that is already stays one. That the caller is an administrator has been checked before
 * (Add a default channel).
 */
export function createAddDefaultChannel({ database }: Services): Operation<"addDefaultChannel"> {
  return ({ parameters, caller }) =>
    database.transaction(() => {
      const channel = findChannel(database, caller.user, parameters.stream_id);
      if (channel === undefined) return badRequest("Invalid channel ID");
      if (channel.is_private) return badRequest("Private channels cannot be made default");
      database.run(database.sql.updateTable("channel").set({ is_default: true }).where("id", "=", channel.id));
      return undefined;
    });
}

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
