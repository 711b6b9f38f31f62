import { findChannel } from "../access/find-channel.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";

/**
 * Makes a channel a default channel; succeeds if it already is one. `authorize` has checked that the caller is an administrator
 * (Add a default channel).
 */
export function createAddDefaultChannel({ database }: Services): Operation<"addDefaultChannel"> {
  return async ({ parameters, caller }) => {
    const channel = await findChannel(database, caller.user, parameters.stream_id);
    if (channel === undefined) return badRequest("Invalid channel ID");
    if (channel.is_private) return badRequest("Private channels cannot be made default");
    await database
      .updateTable("channel")
      .set({ is_default: true })
      .where("realm_id", "=", channel.realm_id)
      .where("id", "=", channel.id)
      .execute();
    return undefined;
  };
}

/**
 * Removes a channel from the default channels; succeeds if it is not one. `authorize` has checked that the caller is an
 * administrator (Remove a default channel).
 */
export function createRemoveDefaultChannel({ database }: Services): Operation<"removeDefaultChannel"> {
  return async ({ parameters, caller }) => {
    const channel = await findChannel(database, caller.user, parameters.stream_id);
    if (channel === undefined) return badRequest("Invalid channel ID");
    await database
      .updateTable("channel")
      .set({ is_default: false })
      .where("realm_id", "=", channel.realm_id)
      .where("id", "=", channel.id)
      .execute();
    return undefined;
  };
}
