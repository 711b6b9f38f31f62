import { sql } from "kysely";
import { systemGroup } from "../../reference/chat/groups/create-group.js";
import { indexMessages } from "../../reference/chat/messages/search-index.js";
import { createOrganization } from "../../reference/chat/organizations/create-organization.js";
import { roles } from "../../reference/chat/roles.js";
import type { Database } from "../../reference/chat/storage/database.js";
import { openPostgres } from "../../reference/chat/storage/postgres/open-postgres.js";
import { openSqlite } from "../../reference/chat/storage/sqlite/open-sqlite.js";
import type { ChatDatabase } from "../../reference/chat/storage/transactions.js";
import { createUser } from "../../reference/chat/users/create-user.js";

/** A filled database, with the credentials of a user who can read all messages. */
export interface Filled {
  readonly authorization: string;
  /** Ids of the first, a middle and the last message sent by the reader. */
  readonly first: number;
  readonly middle: number;
  readonly last: number;
}

const [channels, topics] = [10, 20];

/** Fills a data folder with `count` messages to a reader and a second user, in ten channels of twenty topics each. */
export async function fillFolder(folder: string, count: number): Promise<Filled> {
  return fillAndClose(openSqlite(folder), count);
}

/** Fills a PostgreSQL database like `fillFolder`. */
export async function fillPostgres(url: string, count: number): Promise<Filled> {
  return fillAndClose(await openPostgres(url), count);
}

async function fillAndClose(opened: ChatDatabase, count: number): Promise<Filled> {
  try {
    const filled = await opened.write((database) => fillMessages(database, count));
    // PostgreSQL would collect its statistics only after a while. For SQLite, the migration stores estimates.
    if (opened.engine === "postgres") await sql`analyze`.execute(opened.database);
    return filled;
  } finally {
    await opened.close();
  }
}

/** Fills an empty database like `fillFolder`. */
export async function fillMessages(database: Database, count: number): Promise<Filled> {
  const realm = await createOrganization(database, { key: "bench" });
  const unlimited = { message_content_edit_limit_seconds: null };
  await database.updateTable("realm").set(unlimited).where("id", "=", realm.id).execute();
  const email = "reader@bench.example";
  const reader = await createUser(database, { realmId: realm.id, fullName: "Rita Reader", email, role: roles.owner });
  const writer = await createUser(database, {
    realmId: realm.id,
    fullName: "Walter Writer",
    email: "writer@bench.example",
    role: roles.member,
  });
  const [users, realmId] = [sql`in (${reader.id}, ${writer.id})`, sql.lit(realm.id)];
  const removers = await systemGroup(database, realm.id, "nobody");
  const rows = Array.from({ length: channels }, (_, index) => ({
    realm_id: realm.id,
    name: `channel ${index}`,
    can_remove_subscribers_group: removers,
  }));
  const created = await database.insertInto("channel").values(rows).returning("id").execute();
  await sql`
    insert into subscription (realm_id, user_id, channel_id)
    select ${realmId}, u.id, c.id from "user" u cross join channel c where u.id ${users}`.execute(database);
  const text =
    "'Message ' || i || ' with **a word** on the quarterly report, '|| (i % 977) || ' boxes and a `code` sample'";
  const firstChannel = sql.lit(Math.min(...created.map(({ id }) => id)));
  const [channelCount, topicCount] = [sql.lit(channels), sql.lit(topics)];
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    insert into message (realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client)
    select ${realmId}, case i % 2 when 0 then ${sql.lit(reader.id)} else ${sql.lit(writer.id)} end,
      ${firstChannel} + i % ${channelCount}, 'topic ' || (i / ${channelCount} % ${topicCount}), ${sql.raw(text)},
      '<p>' || ${sql.raw(text)} || '</p>', 1700000000 + i, 'bench'
    from n`.execute(database);
  await sql`
    insert into user_message (realm_id, user_id, message_id, is_read)
    select ${realmId}, u.id, m.id, true from "user" u cross join message m where u.id ${users}`.execute(database);
  await indexMessages(database, sql`true`);
  const range = await sql<{ first: number; last: number }>`
    select min(id) as first, max(id) as last from message where sender_id = ${reader.id}`.execute(database);
  const { first = 0, last = 0 } = range.rows[0] ?? {};
  const authorization = `Basic ${Buffer.from(`${email}:${reader.apiKey.reveal()}`).toString("base64")}`;
  return { authorization, first, middle: Math.floor((first + last) / 2), last };
}
