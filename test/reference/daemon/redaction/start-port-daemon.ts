import { join } from "node:path";
import { type RunningAccord, startAccord } from "../../../support/run-accord.js";

/** A daemon in a separate process, with a TCP port. */
export interface PortDaemon extends RunningAccord {
  /** Such as `http://127.0.0.1:4020`. */
  readonly address: string;
  /** Stops it, and returns everything that it wrote to its standard streams. */
  readonly stop: () => Promise<string>;
}

/** Starts `accord serve daemon` on a free port, with its most verbose log and its socket in a folder of the test. */
export async function startPortDaemon(folder: string, ...args: string[]): Promise<PortDaemon> {
  const socket = join(folder, "daemon.sock");
  const running = startAccord("serve", "daemon", "--port", "0", "--socket", socket, "--log-level", "debug", ...args);
  const [, address = ""] = await running.printed(/daemon +(http:\S+)\n/);
  return {
    ...running,
    address,
    stop: async () => {
      running.child.kill("SIGTERM");
      const { stdout, stderr } = await running.finished;
      return stdout + stderr;
    },
  };
}
