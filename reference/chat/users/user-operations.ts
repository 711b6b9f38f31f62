import { refuse } from "../../../src/chat/server/index.js";
import { secondsNow } from "../clock.js";
import { badRequest } from "../refusals.js";
import { isOwner, roles } from "../roles.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { findVisibleUser } from "./find-visible-user.js";

/**
 * Returns the status of a user (Get a user's status; Resources, User status). Treats bots, which have no status, and
 * inaccessible users like users who do not exist. Deactivated users keep their status.
 */
export function createGetUserStatus({ database }: Services): Operation<"getUserStatus"> {
  return ({ parameters, caller }) => {
    const user = findVisibleUser(database, caller.user, parameters.user_id);
    if (user === undefined || user.is_bot === 1) return badRequest("No such user");
    return { status: statusOf(user) };
  };
}

/** Contains only the keys that are set. `away` is the negation of presence_enabled. */
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

/**
 * Mutes a user for the caller (Mute a user; States and transitions). Treats inaccessible users, and bots below level 188, like
 * users who do not exist. Deactivated users can be muted, since their messages remain.
 */
export function createMuteUser({ database, clock, behaviour }: Services): Operation<"muteUser"> {
  return ({ parameters: { muted_user_id: mutedId }, caller: { user, realm } }) =>
    database.transaction(() => {
      if (mutedId === user.id) return badRequest("Cannot mute self");
      const muted = findVisibleUser(database, user, mutedId);
      if (muted === undefined || (muted.is_bot === 1 && !behaviour.mutableBots)) return badRequest("No such user");
      const isNew = recordMute(database, { muterId: user.id, mutedId, at: secondsNow(clock, realm) });
      return isNew ? undefined : badRequest("User already muted");
    });
}

/** A mute of one user by another. */
interface Mute {
  readonly muterId: number;
  readonly mutedId: number;
  /** UNIX seconds. */
  readonly at: number;
}

/**
 * Mutes a user for another one and marks all existing messages of the muted user as read (States and transitions, User muted).
 * Returns false without any change if the user was already muted.
 */
export function recordMute(database: Database, { muterId, mutedId, at }: Mute): boolean {
  const { sql } = database;
  return database.transaction(() => {
    const row = { user_id: muterId, muted_user_id: mutedId, muted_at: at };
    const insert = sql.insertInto("muted_user").values(row);
    if (database.run(insert.onConflict((conflict) => conflict.doNothing())).changes === 0) return false;
    database.run(
      sql
        .updateTable("user_message")
        .set({ is_read: true })
        .where("user_id", "=", muterId)
        .where("is_read", "=", 0)
        .where("message_id", "in", sql.selectFrom("message").select("id").where("sender_id", "=", mutedId)),
    );
    return true;
  });
}

/** Removes a navigation view of the caller; the fragment must match exactly (Remove a navigation view). */
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

/**
 * Deactivates the caller and the bots that the caller owns (Deactivate own user). A bot can always deactivate itself, because
 * bots do not count as owners or users.
 */
export function createDeactivateOwnUser({ database }: Services): Operation<"deactivateOwnUser"> {
  const { sql } = database;
  return ({ caller: { user } }) =>
    database.transaction(() => {
      const isPerson = user.is_bot === 0;
      if (isPerson && isOwner(user) && !hasOtherOwner(database, user)) return lastUserRefusal("organization owner");
      if (isPerson && !hasOtherUser(database, user)) return lastUserRefusal("user");
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

function lastUserRefusal(entity: "organization owner" | "user") {
  return refuse(400, {
    code: "CANNOT_DEACTIVATE_LAST_USER",
    msg: `You are the only ${entity} and cannot be deactivated`,
    entity,
    is_last_owner: entity === "organization owner",
  });
}

type OneOf = Pick<User, "id" | "realm_id">;

function others(database: Database, { id, realm_id }: OneOf) {
  return database.sql
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realm_id)
    .where("id", "!=", id)
    .where("is_active", "=", 1)
    .where("is_bot", "=", 0)
    .limit(1);
}

/** Whether the organization of a user has another person with an active account. Bots do not count. */
function hasOtherUser(database: Database, user: OneOf): boolean {
  return database.first(others(database, user)) !== undefined;
}

/** Whether the organization of a user has another owner with an active account. Bots do not count. */
export function hasOtherOwner(database: Database, user: OneOf): boolean {
  return database.first(others(database, user).where("role", "<=", roles.owner)) !== undefined;
}
