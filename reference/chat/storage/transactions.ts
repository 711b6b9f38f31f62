import type { Database } from "./database.js";

/** The database of a server, and how work runs in it: always in a transaction, which is rolled back if the work throws. */
export interface ChatDatabase {
  readonly engine: "sqlite" | "postgres";
  /** For single statements outside of a transaction. */
  readonly database: Database;
  /**
   * Runs work that may write. Resolves when the writes are on the disk. May run the work again if it conflicts with another
   * transaction, so that effects beyond the database belong after it.
   */
  readonly write: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Runs work that finds a few rows by their keys. It sees a consistent snapshot of the database, and does not wait for writers. */
  readonly read: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /**
   * Like `read`, for results that may be large or take a long time. Only a few run at the same time. A query takes at most five
   * seconds; then it fails, and `databaseFault` returns `too-long`.
   */
  readonly longRead: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Whether the disk has space for an upload, as far as the server knows. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Maximum time of one query of a `longRead`. */
export const defaultMaxLongReadMs = 5000;

/** Thrown if a query of a `longRead` takes too long with SQLite. */
export class LongReadError extends Error {
  override readonly name = "LongReadError";
}
