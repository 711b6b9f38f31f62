import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import { jsonRows } from "./json-rows.js";
import { contentColumns, type MessageRow } from "./message-row.js";
import { slices } from "./slices.js";

/** The contents that are too long to be in the rows, by the id of the message. */
export function longContents(
  database: Database,
  rows: readonly MessageRow[],
  form: "raw" | "rendered",
): Map<number, string> {
  const long = rows
    .filter(({ content }) => content === null)
    .map(({ id, contentBytes }) => [id, contentBytes] as const);
  const contents = new Map<number, string>();
  for (const ids of slices(long)) {
    const found = jsonRows<[id: number, content: string]>(database, {
      row: sql`json_array(id, ${sql.raw(contentColumns[form])})`,
      from: sql`message where id in ${idList(ids)}`,
    });
    for (const [id, content] of found) contents.set(id, content);
  }
  return contents;
}
