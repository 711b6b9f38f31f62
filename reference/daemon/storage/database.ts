import { createQueryBuilder, type Database as DatabaseOf } from "../../storage/database.js";
import { openDatabase } from "../../storage/open-database.js";
import { initial } from "./migrations/0001-initial.js";
import type { Tables } from "./tables.js";

/** The database of a daemon. */
export type Database = DatabaseOf<Tables>;

/** A query builder without a connection: it cannot run queries. */
export const builder = createQueryBuilder<Tables>();

const schema = { file: "daemon.db", applicationId: 0x64616d6e, migrations: [initial] };

/** Opens the database of a data folder, or one in memory. Throws like `openDatabase`. */
export function openDaemonDatabase(folder?: string): Database {
  return openDatabase<Tables>(schema, folder);
}
