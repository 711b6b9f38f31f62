import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { hasInvalidLength } from "./push-limits.js";

/** Removes an Android token of the caller; that of another user does not exist (Remove an Android registration token). */
export function createRemoveAndroidToken({ database }: Services): Operation<"removeAndroidToken"> {
  return ({ parameters: { token }, caller }) => {
    if (hasInvalidLength(token)) return badRequest("Empty or invalid length token");
    const { changes } = database.run(
      database.sql
        .deleteFrom("device_token")
        .where("user_id", "=", caller.user.id)
        .where("kind", "=", "android")
        .where("token", "=", token),
    );
    return changes === 0 ? badRequest("Token does not exist") : undefined;
  };
}
