import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.js";

/** A range of message ids. */
export interface IdRange {
  readonly from: number;
  /** The first id above the range. */
  readonly below: number;
}

/**
 * Each message is in one bucket of each size, marked by a word in the column `bucket` of the index. Nothing else bounds an FTS5
 * query that combines words: it starts at the first message and looks for the next hit beyond any `rowid < ?`.
 */
const bucketBits = [12, 15, 17] as const;

/** Number of ids in a bucket. */
export type BucketSize = (typeof bucketSizes)[number];

/** Smallest first. */
export const bucketSizes = bucketBits.map((bits) => 2 ** bits) as [4096, 32768, 131072];

const bucketWords = sql.raw(
  bucketBits.map((bits) => `'r' || realm_id || 'b${bits}i' || (id >> ${bits})`).join(" || ' ' || "),
);

/** Adds the messages that a condition selects to the full-text index. They must not be in it yet. */
export function indexMessages(database: Database, condition: RawBuilder<SqlBool>): void {
  database.run(sql`
    insert into message_search (rowid, content, topic, bucket)
    select id, content, topic, ${bucketWords} from message where ${condition}`);
}

/**
 * The FTS5 query for messages with all phrases, in one organization and in the buckets that a range of ids touches; callers
 * pass ranges no wider than a bucket. Without a bucket size, it covers all organizations. Quoted text has no special characters
 * (FTS5, section 3.1), and the column of the buckets is not searched for phrases.
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
