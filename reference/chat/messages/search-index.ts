import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.js";

/** A range of ids of messages. */
export interface IdRange {
  readonly from: number;
  /** The first id above the range. */
  readonly below: number;
}

/**
 * Each message is in one bucket of each of these sizes, which the index knows by a word in the column `bucket`. FTS5 bounds a query
 * that combines words by nothing else: it looks for the next hit beyond any `rowid < ?`, and from the first message on.
 */
const bucketBits = [12, 15, 17] as const;

/** How many ids a bucket spans. */
export type BucketSize = (typeof bucketSizes)[number];

/** From the smallest. */
export const bucketSizes = bucketBits.map((bits) => 2 ** bits) as [4096, 32768, 131072];

const bucketWords = sql.raw(
  bucketBits.map((bits) => `'r' || realm_id || 'b${bits}i' || (id >> ${bits})`).join(" || ' ' || "),
);

/** Puts the messages that a condition selects into the full-text index, where they must not be yet. */
export function indexMessages(database: Database, condition: RawBuilder<SqlBool>): void {
  database.run(sql`
    insert into message_search (rowid, content, topic, bucket)
    select id, content, topic, ${bucketWords} from message where ${condition}`);
}

/**
 * The FTS5 query for messages with all phrases, of one organization, in the buckets that a range of ids touches: its callers choose
 * ranges no wider than a bucket. Without a bucket, of all organizations. Nothing inside the quotes has a meaning of its own (FTS5,
 * section 3.1), and the phrases are not looked for in the column of the buckets.
 */
export function searchQuery(
  realmId: number,
  phrases: readonly string[],
  range: IdRange,
  size: BucketSize | undefined,
): string {
  const text = `{content topic} : (${phrases.map(quote).join(" ")})`;
  if (size === undefined) return text;
  const buckets: string[] = [];
  for (let bucket = Math.floor(range.from / size); bucket * size < range.below; bucket++) {
    buckets.push(`"r${realmId}b${Math.log2(size)}i${bucket}"`);
  }
  return `bucket : (${buckets.join(" OR ")}) AND ${text}`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
}
