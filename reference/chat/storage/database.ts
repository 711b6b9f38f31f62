import { createQueryBuilder, type Database as DatabaseOf } from "../../storage/database.js";
import type { Tables } from "./tables.js";

export type { Query } from "../../storage/database.js";

/** The database of a chat server. */
export type Database = DatabaseOf<Tables>;

/** Builds queries. It cannot run them. */
export const builder = createQueryBuilder<Tables>();
