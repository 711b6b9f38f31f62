import { openDatabase } from "../../storage/open-database.js";
import type { Database } from "./database.js";
import { initial } from "./migrations/0001-initial.js";
import type { Tables } from "./tables.js";

const schema = { file: "chat.db", applicationId: 0x63686174, migrations: [initial] };

/** Opens the database of a data folder, or one in memory. Throws a `DataFolderError`, as `openDatabase` does. */
export function openChatDatabase(folder?: string): Database {
  return openDatabase<Tables>(schema, folder);
}
