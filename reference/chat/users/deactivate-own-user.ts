import { refuse } from "../../../src/chat/server/index.js";
import { isOwner } from "../roles.js";
import type { Operation, Services } from "../services.js";
import { hasOtherOwner, hasOtherUser } from "./has-other.js";

/**
 * Deactivates the account of the caller, and the bots that the caller owns (Deactivate own user). A bot may deactivate itself; it is
 * neither the only owner nor the only user.
 */
export function createDeactivateOwnUser({ database }: Services): Operation<"deactivateOwnUser"> {
  const { sql } = database;
  return ({ caller: { user } }) =>
    database.transaction(() => {
      const isPerson = user.is_bot === 0;
      if (isPerson && isOwner(user) && !hasOtherOwner(database, user)) return lastOne("organization owner");
      if (isPerson && !hasOtherUser(database, user)) return lastOne("user");
      database.run(
        sql
          .updateTable("user")
          .set({ is_active: false })
          .where("realm_id", "=", user.realm_id)
          .where((one) => one.or([one("id", "=", user.id), one("owner_id", "=", user.id)])),
      );
      return undefined;
    });
}

function lastOne(entity: "organization owner" | "user") {
  return refuse(400, {
    code: "CANNOT_DEACTIVATE_LAST_USER",
    msg: `You are the only ${entity} and cannot be deactivated`,
    entity,
    is_last_owner: entity === "organization owner",
  });
}
