import type { DaemonCall } from "../../src/daemon/index.js";
import type { Logger as LoggerOf } from "../logging/create-logger.js";

/** Tells what happens in a daemon. Of a call it logs what `DaemonCall` has, in which there is no field of a message. */
export type Logger = LoggerOf<DaemonCall>;
