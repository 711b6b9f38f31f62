import {
  createDaemonServer,
  type DaemonCall,
  type DaemonServer,
  type DaemonServerAddress,
} from "../../src/daemon/index.js";
import { createLogger, type Logger as LoggerOf } from "../logging/create-logger.js";
import { createHandlers } from "./handlers.js";
import { createServices, type DaemonServicesOptions } from "./services.js";

/** Tells what happens in a daemon. Of a call it logs what `DaemonCall` has, in which there is no field of a message. */
export type Logger = LoggerOf<DaemonCall>;

/** How a reference daemon runs. */
export interface DaemonReferenceOptions extends DaemonServerAddress, DaemonServicesOptions {
  /** Defaults to silence. */
  readonly logger?: Logger;
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
