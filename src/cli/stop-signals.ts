/** What asks a command to end: Ctrl+C, a supervisor, and a terminal that is closed. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Says that all is ready, waits for a signal to stop, then stops what is given. A second signal, or five seconds, ends the
 * process at once.
 *
 * `ready` is called when the signals are already heard: whoever waits for its output may stop the process at once.
 */
export async function untilStopped(
  servers: readonly { close: () => Promise<void> }[],
  ready: () => void,
): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve());
    ready();
  });
  const endNow = () => process.exit(1);
  for (const signal of stopSignals) process.once(signal, endNow);
  setTimeout(endNow, 5000).unref();
  await Promise.all(servers.map((server) => server.close()));
  for (const signal of stopSignals) process.off(signal, endNow);
}
