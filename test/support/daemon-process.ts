import { onTestFinished } from "vitest";
import { createDaemonClient, type DaemonClient } from "../../src/daemon/index.js";
import { type RunningAccord, startAccord } from "./run-accord.js";

/** A reference daemon in a child process, and its client. */
export interface DaemonProcess extends RunningAccord {
  readonly address: string;
  readonly client: DaemonClient;
}

/** Starts `accord serve daemon` on a Unix socket and waits until it listens. Rejects if it exits first. */
export async function startDaemonProcess(socket: string, ...args: string[]): Promise<DaemonProcess> {
  const running = startAccord("serve", "daemon", "--socket", socket, "--allow-private", ...args);
  const [, address = ""] = await running.printed(/daemon +(unix:\S+)\n/);
  const client = createDaemonClient({ address });
  onTestFinished(client.close);
  return { ...running, address, client };
}
