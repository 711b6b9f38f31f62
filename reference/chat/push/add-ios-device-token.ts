import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { rowsOf } from "../storage/rows-of.js";
import { hasInvalidLength, mostDevices } from "./push-limits.js";

/** The letters of a bundle identifier. */
const appIdForm = /^[A-Za-z0-9.-]{1,255}$/;
const hexBytes = /^(?:[0-9a-f]{2})+$/;

/**
 * Adds an iOS device token of the caller; one that was added before gets the new app. A token is valid when it is hexadecimal
 * (Add an iOS device token).
 */
export function createAddIosDeviceToken({ database }: Services): Operation<"addIosDeviceToken"> {
  return ({ parameters, caller }) => {
    if (hasInvalidLength(parameters.token)) return badRequest("Empty or invalid length token");
    const token = parameters.token.toLowerCase();
    if (!hexBytes.test(token)) return badRequest("Invalid token");
    // Before level 223 it may be left out, which the compiler cannot see.
    const app_id = (parameters.appid as string | undefined) ?? null;
    if (app_id !== null && !appIdForm.test(app_id)) return badRequest("Invalid app ID");
    database.transaction(() => {
      database.run(
        database.sql
          .insertInto("device_token")
          .values({ user_id: caller.user.id, kind: "ios", token, app_id })
          .onConflict((conflict) => conflict.columns(["user_id", "kind", "token"]).doUpdateSet({ app_id })),
      );
      if (rowsOf(database, "device_token", caller.user.id) > mostDevices)
        throw badRequest(`You have ${mostDevices} device tokens already, which is the most`);
    });
    return undefined;
  };
}
