import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Database, idList, isPostgres } from "../storage/database.js";

/** A word of each document that marks its organization, so that a search visits no messages of others. */
function realmWord(realmId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`('realm' || ${realmId})`;
}

/** Adds the messages that a condition selects to the full-text index. They must not be in it yet. */
export async function indexMessages(database: Database, condition: RawBuilder<SqlBool>): Promise<void> {
  const realm = realmWord(sql.ref("realm_id"));
  const insert = isPostgres(database)
    ? // The word of the organization stands between the texts, so that no phrase reaches from one into the other.
      sql`insert into message_search (realm_id, rowid, words)
        select realm_id, id, accord_words(content) || accord_words(${realm}) || accord_words(topic)
        from message where ${condition}`
    : sql`insert into message_search (rowid, content, topic, realm)
        select id, content, topic, ${realm} from message where ${condition}`;
  await insert.execute(database);
}

/** Removes messages from the full-text index. */
export async function unindexMessages(database: Database, ids: readonly number[]): Promise<void> {
  await sql`delete from message_search where rowid in ${idList(database, ids)}`.execute(database);
}

/** Updates the full-text index for changed messages. */
export async function reindexMessages(database: Database, realmId: number, ids: readonly number[]): Promise<void> {
  await unindexMessages(database, ids);
  await indexMessages(database, sql`realm_id = ${realmId} and id in ${idList(database, ids)}`);
}

/**
 * SQL condition that a row `ms` of the full-text index has all phrases in its content or topic. Upper and lower case and
 * diacritics make no difference.
 */
export function matchesPhrases(database: Database, realmId: number, phrases: readonly string[]): RawBuilder<SqlBool> {
  if (isPostgres(database)) {
    const realm = sql`phraseto_tsquery('simple', ${`realm${realmId}`})`;
    const found = phrases.map((phrase) => sql`accord_phrase(${phrase.replaceAll("\0", " ")})`);
    return sql<SqlBool>`ms.words @@ (${sql.join([realm, ...found], sql` && `)})`;
  }
  // Quoted text has no special characters (FTS5, section 3.1).
  const quoted = phrases.map((text) => `"${text.replaceAll('"', '""').replaceAll("\0", " ")}"`);
  return sql<SqlBool>`ms.message_search match ${`realm : "realm${realmId}" AND {content topic} : (${quoted.join(" ")})`}`;
}
