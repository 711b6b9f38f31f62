import { createQueryBuilder, type Database as DatabaseOf } from "../../storage/database.js";
import type { Tables } from "./tables.js";

/** The database of a daemon. */
export type Database = DatabaseOf<Tables>;

/** Builds queries. It cannot run them. */
export const builder = createQueryBuilder<Tables>();
