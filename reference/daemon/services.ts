import type { FetchOptions } from "./import/fetch/fetch-subscription.js";
import { createImportSubscription, type ImportSubscription } from "./import/import-subscription.js";
import { type Database, openDaemonDatabase } from "./storage/database.js";

/** What the handlers work with. */
export interface Services {
  readonly database: Database;
  readonly importSubscription: ImportSubscription;
}

/** What a reference daemon works with. */
export interface DaemonServicesOptions {
  /** The folder of the data; without one, everything is in memory and gone at the end. */
  readonly dataFolder?: string;
  /** Fetches subscriptions from loopback, private and link-local addresses as well. Defaults to false. */
  readonly allowPrivate?: boolean;
  /** How long fetching a subscription may take in all. Defaults to 10 seconds. */
  readonly fetchTimeoutMs?: number;
}

/** Opens what the handlers work with. Throws a `DataFolderError` when the folder cannot be used. */
export function createServices({ dataFolder, allowPrivate, fetchTimeoutMs }: DaemonServicesOptions = {}): Services {
  const fetching: FetchOptions = {
    allowPrivate: allowPrivate ?? false,
    ...(fetchTimeoutMs === undefined ? {} : { timeoutMs: fetchTimeoutMs }),
  };
  return {
    database: openDaemonDatabase(dataFolder),
    importSubscription: createImportSubscription(fetching),
  };
}
