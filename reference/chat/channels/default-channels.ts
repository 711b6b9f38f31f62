import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import { findChannel } from "./find-channel.js";

/**
 * Makes a channel a default channel; succeeds if it already is one. `authorize` has checked that the caller is an administrator
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
 * Removes a channel from the default channels; succeeds if it is not one. `authorize` has checked that the caller is an
 * administrator (Remove a default channel).
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
