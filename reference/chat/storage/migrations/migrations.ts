import { initial } from "./0001-initial.js";

/** All migrations in order. The number of those that a file has is its schema version; a released one is never changed. */
export const migrations: readonly string[] = [initial];
