import type { FetchOptions } from "./import/fetch/fetch-subscription.js";
import { createImportSubscription, type ImportSubscription } from "./import/import-subscription.js";
import { type Database, openDaemonDatabase } from "./storage/database.js";

/** Dependencies of the handlers. */
export interface Services {
  readonly database: Database;
  readonly importSubscription: ImportSubscription;
}

/** Options of the services of a reference daemon. */
export interface DaemonServicesOptions {
  /** The data folder; without one, data is in memory and lost on exit. */
  readonly dataFolder?: string;
  /** Allows subscriptions at loopback, private and link-local addresses. Defaults to false. */
  readonly allowPrivate?: boolean;
  /** Time limit for fetching a subscription. Defaults to 10 seconds. */
  readonly fetchTimeoutMs?: number;
}

/** Creates the dependencies of the handlers. Throws a `DataFolderError` if the folder cannot be used. */
export function createServices({ dataFolder, allowPrivate, fetchTimeoutMs }: DaemonServicesOptions = {}): Services {
  const fetching: FetchOptions = {
    allowPrivate: allowPrivate ?? false,
    timeoutMs: fetchTimeoutMs,
  };
  return {
    database: openDaemonDatabase(dataFolder),
    importSubscription: createImportSubscription(fetching),
  };
}
