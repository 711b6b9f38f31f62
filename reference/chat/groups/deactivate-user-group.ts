import { refuse } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { changeableGroup } from "./changeable-group.js";
import { objectionsTo } from "./objections.js";

const inUse = "Cannot deactivate user group in use.";

/** Deactivates a group that no setting uses and that is no subgroup of an active group (Deactivate a user group; Versioning 298). */
export function createDeactivateUserGroup({ database, behaviour }: Services): Operation<"deactivateUserGroup"> {
  const { sql } = database;
  return ({ parameters: { user_group_id: id }, caller }) =>
    database.transaction(() => {
      if (changeableGroup(database, caller, id).is_deactivated) return badRequest("User group is deactivated");
      const objections = objectionsTo(database, caller, id);
      if (objections.length > 0) {
        return behaviour.groupInUseCode
          ? refuse(400, { code: "CANNOT_DEACTIVATE_GROUP_IN_USE", msg: inUse, objections })
          : badRequest(inUse);
      }
      database.run(sql.updateTable("user_group").set({ is_deactivated: true }).where("id", "=", id));
      return undefined;
    });
}
