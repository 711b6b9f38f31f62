import { sql } from "kysely";
import type { ChatVariation } from "../fault.js";

/** Variations of the reference server itself. */
export const serverVariations: readonly ChatVariation[] = [
  {
    name: "other-ids",
    summary: "assigns ids above 32 bits",
    prepare: async ({ services }) => {
      await sql`insert into sqlite_sequence (name, seq)
        select name, 5000000000 + 1000000 * rowid from sqlite_master
        where type = 'table' and sql like '%autoincrement%'`.execute(services.database);
    },
  },
  {
    name: "other-clock",
    summary: "has a clock that is three years ahead",
    options: { clock: { now: () => Date.now() + 3 * 365 * 86_400_000 } },
  },
];
