/** The signals that ask a command to stop: from Ctrl+C, a supervisor, or a closed terminal. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for a stop signal, then closes the servers. A second signal, or a timeout of five seconds, ends the process at once.
 *
 * Calls `ready` after it has installed its signal handlers, so that a caller who waits for its output can stop the process safely.
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
