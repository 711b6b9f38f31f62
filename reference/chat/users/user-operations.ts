import { type SqlBool, sql } from "kysely";
import { refuse } from "../../../src/chat/server/index.js";
import { findVisibleUser } from "../access/find-visible-user.js";
import { secondsNow } from "../clock.js";
import { badRequest } from "../refusals.js";
import { isOwner, roles } from "../roles.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/**
 * Returns the status of a user (Get a user's status; Resources, User status). Treats bots, which have no status, and
 * inaccessible users like users who do not exist. Deactivated users keep their status.
 */
export function createGetUserStatus({ database }: Services): Operation<"getUserStatus"> {
  return async ({ parameters, caller }) => {
    const user = await findVisibleUser(database, caller.user, parameters.user_id);
    if (user === undefined || user.is_bot) return badRequest("No such user");
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
  return async ({ parameters: { muted_user_id: mutedId }, caller: { user, realm } }) => {
    if (mutedId === user.id) return badRequest("Cannot mute self");
    const muted = await findVisibleUser(database, user, mutedId);
    if (muted === undefined || (muted.is_bot && !behaviour.mutableBots)) return badRequest("No such user");
    const isNew = await recordMute(database, {
      realmId: realm.id,
      muterId: user.id,
      mutedId,
      at: secondsNow(clock, realm),
    });
    return isNew ? undefined : badRequest("User already muted");
  };
}

/** A mute of one user by another. */
interface Mute {
  readonly realmId: number;
  readonly muterId: number;
  readonly mutedId: number;
  /** UNIX seconds. */
  readonly at: number;
}

/**
 * Mutes a user for another one and marks all existing messages of the muted user as read (States and transitions, User muted).
 * Returns false without any change if the user was already muted.
 */
export async function recordMute(database: Database, { realmId, muterId, mutedId, at }: Mute): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto("muted_user")
    .values({ realm_id: realmId, user_id: muterId, muted_user_id: mutedId, muted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await database
    .updateTable("user_message")
    .set({ is_read: true })
    .where("realm_id", "=", realmId)
    .where("user_id", "=", muterId)
    .where(sql<SqlBool>`not is_read`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("message")
          .select("id")
          .where("realm_id", "=", realmId)
          .where("sender_id", "=", mutedId)
          .whereRef("id", "=", "user_message.message_id"),
      ),
    )
    .execute();
  return true;
}

/** Removes a navigation view of the caller; the fragment must match exactly (Remove a navigation view). */
export function createRemoveNavigationView({ database }: Services): Operation<"removeNavigationView"> {
  return async ({ parameters, caller }) => {
    const { numDeletedRows } = await database
      .deleteFrom("navigation_view")
      .where("realm_id", "=", caller.realm.id)
      .where("user_id", "=", caller.user.id)
      .where("fragment", "=", parameters.fragment)
      .executeTakeFirst();
    return numDeletedRows === 0n ? badRequest("Navigation view does not exist") : undefined;
  };
}

/**
 * Deactivates the caller and the bots that the caller owns (Deactivate own user). A bot can always deactivate itself, because
 * bots do not count as owners or users.
 */
export function createDeactivateOwnUser({ database }: Services): Operation<"deactivateOwnUser"> {
  return async ({ caller: { user } }) => {
    const isPerson = !user.is_bot;
    if (isPerson && isOwner(user) && !(await hasOtherOwner(database, user)))
      return lastUserRefusal("organization owner");
    if (isPerson && !(await hasOtherUser(database, user))) return lastUserRefusal("user");
    await database
      .updateTable("user")
      .set({ is_active: false })
      .where("realm_id", "=", user.realm_id)
      .where((one) => one.or([one("id", "=", user.id), one("owner_id", "=", user.id)]))
      .execute();
    return undefined;
  };
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
  return database
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realm_id)
    .where("id", "!=", id)
    .where(sql<SqlBool>`is_active and not is_bot`)
    .limit(1);
}

/** Whether the organization of a user has another person with an active account. Bots do not count. */
async function hasOtherUser(database: Database, user: OneOf): Promise<boolean> {
  return (await others(database, user).executeTakeFirst()) !== undefined;
}

/** Whether the organization of a user has another owner with an active account. Bots do not count. */
export async function hasOtherOwner(database: Database, user: OneOf): Promise<boolean> {
  return (await others(database, user).where("role", "<=", roles.owner).executeTakeFirst()) !== undefined;
}
