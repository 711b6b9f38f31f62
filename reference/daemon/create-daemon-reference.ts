import { createDaemonServer, type DaemonServer, type DaemonServerAddress } from "../../src/daemon/index.js";
import { createLogger } from "../logging/create-logger.js";
import type { Logger } from "./call-log.js";
import { createHandlers } from "./handlers.js";
import type { FetchOptions } from "./import/fetch/fetch-subscription.js";
import { createImportSubscription } from "./import/import-subscription.js";
import type { Services } from "./services.js";
import { openDaemonDatabase } from "./storage/open-daemon-database.js";

/** How a reference daemon runs. */
export interface DaemonReferenceOptions extends DaemonServerAddress, DaemonServicesOptions {
  /** Defaults to silence. */
  readonly logger?: Logger;
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

/**
 * Starts the reference implementation of the daemon, on a free TCP port of 127.0.0.1 unless told otherwise.
 *
 * Rejects with a `DataFolderError` when the folder cannot be used, and with a `ListenError` when an address cannot be had.
 */
export async function createDaemonReference(options: DaemonReferenceOptions = {}): Promise<DaemonServer> {
  const { logger = createLogger("silent") } = options;
  const services = createServices(options);
  const { database } = services;
  try {
    await database.settled();
    const server = await createDaemonServer({
      ...options,
      handlers: createHandlers(services),
      onCall: logger.request,
      onFault: logger.fault,
    });
    return { ...server, close: () => server.close().finally(database.close) };
  } catch (error) {
    database.close();
    throw error;
  }
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
