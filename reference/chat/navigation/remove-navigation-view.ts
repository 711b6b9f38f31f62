import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";

/** Removes a navigation view of the caller; the fragment is compared as it is (Remove a navigation view). */
export function createRemoveNavigationView({ database }: Services): Operation<"removeNavigationView"> {
  return ({ parameters, caller }) => {
    const { changes } = database.run(
      database.sql
        .deleteFrom("navigation_view")
        .where("user_id", "=", caller.user.id)
        .where("fragment", "=", parameters.fragment),
    );
    return changes === 0 ? badRequest("Navigation view does not exist") : undefined;
  };
}
