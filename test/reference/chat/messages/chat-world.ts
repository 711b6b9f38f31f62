import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { systemGroup } from "../../../../reference/chat/groups/create-group.js";
import { behaviourAt } from "../../../../reference/chat/level-behaviour.js";
import { type Destination, findOrCreateConversation } from "../../../../reference/chat/messages/destination.js";
import { createGetMessages } from "../../../../reference/chat/messages/get-messages.js";
import { sendMessage } from "../../../../reference/chat/messages/send-message.js";
import { createOrganization } from "../../../../reference/chat/organizations/create-organization.js";
import { roles } from "../../../../reference/chat/roles.js";
import type { Caller } from "../../../../reference/chat/services.js";
import { openSqlite } from "../../../../reference/chat/storage/sqlite/open-sqlite.js";
import type { Realm, User } from "../../../../reference/chat/storage/tables.js";
import type { ChatDatabase } from "../../../../reference/chat/storage/transactions.js";
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
  readonly history_limited: boolean;
  readonly messages: readonly SeenMessage[];
}

/** Reads the result of `getMessages`, whose messages are JSON. */
export function toAnswer(result: unknown): Answer {
  return JSON.parse(JSON.stringify(result)) as Answer;
}

/** An organization in memory. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates an organization, by default in its own database. */
export async function createWorld(opened: ChatDatabase = openSqlite()) {
  const { database } = opened;
  const { id: realmId } = await createOrganization(database);
  const nobody = await systemGroup(database, realmId, "nobody");

  async function realm(): Promise<Realm> {
    const found = await database.selectFrom("realm").selectAll().where("id", "=", realmId).executeTakeFirst();
    if (found === undefined) throw new Error("no organization");
    return found;
  }

  async function userOf(id: number): Promise<User> {
    const found = await database.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
    if (found === undefined) throw new Error(`no user ${id}`);
    return found;
  }

  return {
    opened,
    database,
    close: opened.close,
    realmId,
    realm,
    user: (name: string, role: number = roles.member): Promise<number> =>
      createUser(database, { realmId, fullName: name, email: `${name}@example.com`, role }).then(({ id }) => id),
    channel: async (name: string, subscribers: readonly number[], flags: object = {}): Promise<number> => {
      const row = { realm_id: realmId, name, can_remove_subscribers_group: nobody, ...flags };
      const { id: insertedId } = await database
        .insertInto("channel")
        .values(row)
        .returning("id")
        .executeTakeFirstOrThrow();
      for (const user_id of subscribers) {
        await database
          .insertInto("subscription")
          .values({ realm_id: realmId, user_id, channel_id: insertedId })
          .execute();
      }
      return insertedId;
    },
    send: async (
      from: number,
      to: { channel: number; topic?: string } | { users: number[] },
      content: string,
    ): Promise<number> => {
      const destination: Destination =
        "channel" in to
          ? { kind: "channel", channelId: to.channel, topic: to.topic ?? "" }
          : { kind: "direct", conversationId: await findOrCreateConversation(database, realmId, [from, ...to.users]) };
      return sendMessage({ database, clock }, { realm: await realm(), senderId: from, to: destination, content });
    },
    caller: async (id: number): Promise<Caller> => ({ user: await userOf(id), realm: await realm() }),
    /** Calls a handler as a user; throws what the handler throws. */
    get: async (
      id: number,
      parameters: CallParameters<"getMessages">,
      level: number = newestLevel,
    ): Promise<Answer> => {
      const services = { database, clock, behaviour: behaviourAt(level) };
      const handler = createGetMessages(services as Parameters<typeof createGetMessages>[0]);
      const caller = { user: await userOf(id), realm: await realm() };
      return toAnswer(await handler({ parameters, caller, featureLevel: level, header: () => undefined }));
    },
  };
}
