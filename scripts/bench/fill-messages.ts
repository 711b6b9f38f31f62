import { sql } from "kysely";
import { systemGroup } from "../../reference/chat/groups/create-group.js";
import { indexMessages } from "../../reference/chat/messages/search-index.js";
import { createOrganization } from "../../reference/chat/organizations/create-organization.js";
import { roles } from "../../reference/chat/roles.js";
import { openChatDatabase } from "../../reference/chat/storage/database.js";
import { createUser } from "../../reference/chat/users/create-user.js";

/** A filled data folder, with the credentials of a user who can read all messages. */
export interface FilledFolder {
  readonly authorization: string;
  /** Ids of the first, a middle and the last message sent by the reader. */
  readonly first: number;
  readonly middle: number;
  readonly last: number;
}

/** The number of channels, and of topics in each channel. */
export interface Places {
  readonly channels: number;
  readonly topics: number;
}

/** Fills a data folder with `count` messages to a reader and a second user, by default in ten channels of twenty topics each. */
export function fillMessages(
  folder: string,
  count: number,
  { channels, topics }: Places = { channels: 10, topics: 20 },
): FilledFolder {
  const database = openChatDatabase(folder);
  try {
    const realm = createOrganization(database, { key: "bench" });
    const unlimited = { message_content_edit_limit_seconds: null };
    database.run(database.sql.updateTable("realm").set(unlimited).where("id", "=", realm.id));
    const email = "reader@bench.example";
    const reader = createUser(database, { realmId: realm.id, fullName: "Rita Reader", email, role: roles.owner });
    const writer = createUser(database, {
      realmId: realm.id,
      fullName: "Walter Writer",
      email: "writer@bench.example",
      role: roles.member,
    });
    const removers = systemGroup(database, realm.id, "nobody");
    for (let index = 0; index < channels; index++) {
      const { insertedId } = database.run(
        database.sql
          .insertInto("channel")
          .values({ realm_id: realm.id, name: `channel ${index}`, can_remove_subscribers_group: removers }),
      );
      for (const { id } of [reader, writer]) {
        database.run(database.sql.insertInto("subscription").values({ user_id: id, channel_id: insertedId }));
      }
    }
    database.transaction(() => {
      const text =
        "'Message ' || i || ' with **a word** on the quarterly report, '|| (i % 977) || ' boxes and a `code` sample'";
      database.run(sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into message (realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client)
        select ${realm.id}, case i % 2 when 0 then ${reader.id} else ${writer.id} end,
          1 + i % ${channels}, 'topic ' || (i / ${channels} % ${topics}), ${sql.raw(text)},
          '<p>' || ${sql.raw(text)} || '</p>', 1700000000 + i, 'bench'
        from n`);
      database.run(sql`
        insert into user_message (user_id, message_id, is_read)
        select u.id, m.id, 1 from user u cross join message m where u.id in (${reader.id}, ${writer.id})`);
      indexMessages(database, sql`true`);
    });
    const range = database.first(sql<{ first: number; last: number }>`
      select min(id) as first, max(id) as last from message where sender_id = ${reader.id}`);
    const { first = 0, last = 0 } = range ?? {};
    const authorization = `Basic ${Buffer.from(`${email}:${reader.apiKey.reveal()}`).toString("base64")}`;
    return { authorization, first, middle: Math.floor((first + last) / 2), last };
  } finally {
    database.close();
  }
}
