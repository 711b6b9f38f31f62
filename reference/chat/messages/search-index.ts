import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Database, idList, isPostgres } from "../storage/database.js";
import { inBatches } from "./in-batches.js";
import { searchWords } from "./search-words.js";

/** Messages that are indexed by one statement. */
const batchSize = 1000;

/** Adds the messages that a condition selects to the full-text index. They must not be in it yet. */
export async function indexMessages(database: Database, condition: RawBuilder<SqlBool>): Promise<void> {
  for (let after = 0; ; ) {
    const messages = await database
      .selectFrom("message")
      .select(["id", "realm_id", "content", "topic"])
      .where("id", ">", after)
      .where(condition)
      .orderBy("id")
      .limit(batchSize)
      .execute();
    if (messages.length === 0) return;
    await (isPostgres(database) ? insertVectors : insertWords)(database, messages);
    if (messages.length < batchSize) return;
    after = messages.at(-1)?.id ?? after;
  }
}

interface Indexed {
  readonly id: number;
  readonly realm_id: number;
  readonly content: string;
  readonly topic: string;
}

/** A word of each document that marks its organization, so that a search visits no messages of others. No text contains it. */
const realmWord = (realmId: number) => `#${realmId}`;

/** PostgreSQL: one list of words. The word of the organization separates the texts, so that no phrase spans both. */
async function insertVectors(database: Database, messages: readonly Indexed[]): Promise<void> {
  const vectors = messages.map(({ realm_id, content, topic }) =>
    [...searchWords(content), realmWord(realm_id), ...searchWords(topic)]
      .map((word, index) => `${quoted(word)}:${index + 1}`)
      .join(" "),
  );
  const [realmIds, ids] = [messages.map(({ realm_id }) => realm_id), messages.map(({ id }) => id)];
  await sql`
    insert into message_search (realm_id, rowid, words)
    select * from unnest(${realmIds}::bigint[], ${ids}::bigint[], ${vectors}::tsvector[])`.execute(database);
}

/** SQLite: a column for each text. Its tokenizer splits at spaces. */
async function insertWords(database: Database, messages: readonly Indexed[]): Promise<void> {
  const rows = messages.map(({ id, realm_id, content, topic }) => [
    id,
    searchWords(content).join(" "),
    searchWords(topic).join(" "),
    realm_id,
  ]);
  await sql`
    insert into message_search (rowid, content, topic, realm)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${JSON.stringify(rows)})`.execute(
    database,
  );
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}

/** Removes messages from the full-text index. */
export async function unindexMessages(database: Database, ids: readonly number[]): Promise<void> {
  await sql`delete from message_search where rowid in ${idList(database, ids)}`.execute(database);
}

/** Updates the full-text index for changed messages. */
export async function reindexMessages(database: Database, realmId: number, ids: readonly number[]): Promise<void> {
  await inBatches(ids, async (batch) => {
    await unindexMessages(database, batch);
    await indexMessages(database, sql`realm_id = ${realmId} and id in ${idList(database, batch)}`);
  });
}

/** SQL condition that a row `ms` of the full-text index has all phrases in its content or topic, each with at least one word. */
export function matchesPhrases(database: Database, realmId: number, phrases: readonly string[]): RawBuilder<SqlBool> {
  const words = phrases.map(searchWords);
  if (isPostgres(database)) {
    const query = [[realmWord(realmId)], ...words].map((phrase) => `(${phrase.map(quoted).join(" <-> ")})`);
    return sql<SqlBool>`ms.words @@ ${query.join(" & ")}::tsquery`;
  }
  const query = words.map((phrase) => `"${phrase.join(" ")}"`);
  return sql<SqlBool>`ms.message_search match ${`realm : "${realmId}" AND {content topic} : (${query.join(" ")})`}`;
}
