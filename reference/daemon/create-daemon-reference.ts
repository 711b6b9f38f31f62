import {
  createDaemonServer,
  type DaemonCall,
  type DaemonServer,
  type DaemonServerAddress,
} from "../../src/daemon/index.js";
import { createLogger, type Logger as LoggerOf } from "../logging/create-logger.js";
import { createHandlers } from "./handlers.js";
import { createServices, type DaemonServicesOptions } from "./services.js";

/** The log of a daemon. It logs the fields of `DaemonCall`, none of which comes from a message. */
export type Logger = LoggerOf<DaemonCall>;

/** Options of a reference daemon. */
export interface DaemonReferenceOptions extends DaemonServerAddress, DaemonServicesOptions {
  /** Defaults to a silent logger. */
  readonly logger?: Logger;
}

/**
 * Starts the reference implementation of the daemon, by default on a free TCP port of 127.0.0.1.
 *
 * Rejects with a `DataFolderError` if the folder cannot be used, and with a `ListenError` if an address is unavailable.
 */
export async function createDaemonReference(options: DaemonReferenceOptions = {}): Promise<DaemonServer> {
  const { logger = createLogger("silent") } = options;
  const services = createServices(options);
  const { database } = services;
  try {
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
