import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import type { User } from "../storage/tables.js";
import { findVisibleUser } from "./find-visible-user.js";

/**
 * Answers the status of a user (Get a user's status; Resources, User status). Bots, which have none, and users whom the caller has
 * no access to are answered like users who do not exist. The status of a deactivated account is what it was.
 */
export function createGetUserStatus({ database }: Services): Operation<"getUserStatus"> {
  return ({ parameters, caller }) => {
    const user = findVisibleUser(database, caller.user, parameters.user_id);
    if (user === undefined || user.is_bot === 1) return badRequest("No such user");
    return { status: statusOf(user) };
  };
}

/** The keys that are set. `away` is the negation of presence_enabled, and set when it is true. */
function statusOf(user: User) {
  const { status_text, status_emoji_name, status_emoji_code, status_reaction_type } = user;
  return {
    ...(user.presence_enabled ? {} : { away: true }),
    ...(status_text ? { status_text } : {}),
    ...(status_reaction_type && status_emoji_name && status_emoji_code
      ? {
          emoji_name: status_emoji_name,
          emoji_code: status_emoji_code,
          reaction_type: status_reaction_type as "unicode_emoji" | "realm_emoji" | "service_extra_emoji",
        }
      : {}),
  };
}
