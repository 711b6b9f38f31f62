import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { systemGroup } from "../../../../reference/chat/groups/create-group.js";
import { behaviourAt } from "../../../../reference/chat/level-behaviour.js";
import { type Destination, findConversation } from "../../../../reference/chat/messages/destination.js";
import { createGetMessages } from "../../../../reference/chat/messages/get-messages.js";
import { sendMessage } from "../../../../reference/chat/messages/send-message.js";
import { createOrganization } from "../../../../reference/chat/organizations/create-organization.js";
import { roles } from "../../../../reference/chat/roles.js";
import type { Caller } from "../../../../reference/chat/services.js";
import { type Database, openChatDatabase } from "../../../../reference/chat/storage/database.js";
import type { Realm, User } from "../../../../reference/chat/storage/tables.js";
import { createUser } from "../../../../reference/chat/users/create-user.js";
import type { CallParameters } from "../../../../src/chat/operation-types.js";

const clock = { now: () => Date.UTC(2026, 0, 1) };

/** The fields of a message that tests check. */
export interface SeenMessage {
  readonly id: number;
  readonly content: string;
  readonly [field: string]: unknown;
}

/** The response to a call. */
export interface Answer {
  readonly anchor?: number;
  readonly found_newest: boolean;
  readonly found_oldest: boolean;
  readonly found_anchor: boolean;
  readonly history_limited?: boolean;
  readonly messages: readonly SeenMessage[];
}

/** An organization in memory. */
export type World = ReturnType<typeof createWorld>;

/** Creates an organization, by default in its own database. */
export function createWorld(database: Database = openChatDatabase()) {
  const { sql } = database;
  const { id: realmId } = createOrganization(database);
  const nobody = systemGroup(database, realmId, "nobody");

  function realm(): Realm {
    const found = database.first(sql.selectFrom("realm").selectAll().where("id", "=", realmId));
    if (found === undefined) throw new Error("no organization");
    return found;
  }

  function userOf(id: number): User {
    const found = database.first(sql.selectFrom("user").selectAll().where("id", "=", id));
    if (found === undefined) throw new Error(`no user ${id}`);
    return found;
  }

  return {
    database,
    realmId,
    realm,
    user: (name: string, role: number = roles.member): number =>
      createUser(database, { realmId, fullName: name, email: `${name}@example.com`, role }).id,
    channel: (name: string, subscribers: readonly number[], flags: object = {}): number => {
      const row = { realm_id: realmId, name, can_remove_subscribers_group: nobody, ...flags };
      const { insertedId } = database.run(sql.insertInto("channel").values(row));
      for (const user_id of subscribers) {
        database.run(sql.insertInto("subscription").values({ user_id, channel_id: insertedId }));
      }
      return insertedId;
    },
    send: (from: number, to: { channel: number; topic?: string } | { users: number[] }, content: string): number => {
      const destination: Destination =
        "channel" in to
          ? { kind: "channel", channelId: to.channel, topic: to.topic ?? "" }
          : { kind: "direct", conversationId: findConversation(database, realmId, [from, ...to.users]) };
      return sendMessage({ database, clock }, { realm: realm(), senderId: from, to: destination, content });
    },
    caller: (id: number): Caller => ({ user: userOf(id), realm: realm() }),
    /** Calls a handler as a user; throws what the handler throws. */
    get: (id: number, parameters: CallParameters<"getMessages">, level: number = newestLevel): Answer => {
      const services = { database, clock, behaviour: behaviourAt(level) };
      const handler = createGetMessages(services as Parameters<typeof createGetMessages>[0]);
      const caller = { user: userOf(id), realm: realm() };
      return handler({ parameters, caller, featureLevel: level }) as object as Answer;
    },
  };
}
