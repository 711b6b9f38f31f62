/** The signals that ask a command to stop: from Ctrl+C, a supervisor, or a closed terminal. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How often a command of npm looks whether npm is still there, in milliseconds. */
const parentIntervalMs = 500;

/**
 * Calls `stop` at every stop signal, and once npm has ended: `npx` and scripts of npm pass none on. Returns a function that ends the
 * watch.
 */
export function onStop(stop: () => void): () => void {
  for (const signal of stopSignals) process.on(signal, stop);
  const parent = process.ppid;
  const timer =
    process.env.npm_command === undefined
      ? undefined
      : setInterval(() => {
          if (process.ppid === parent) return;
          clearInterval(timer);
          stop();
        }, parentIntervalMs).unref();
  return () => {
    clearInterval(timer);
    for (const signal of stopSignals) process.off(signal, stop);
  };
}

/**
 * Waits for a stop signal, then closes the servers. A second signal, or a timeout of five seconds, ends the process at once.
 *
 * Calls `ready` after it has installed its signal handlers, so that a caller who waits for its output can stop the process safely.
 */
export async function untilStopped(
  servers: readonly { close: () => Promise<void> }[],
  ready: () => void,
): Promise<void> {
  const end = await new Promise<() => void>((resolve) => {
    const stopWatching = onStop(() => resolve(stopWatching));
    ready();
  });
  const endNow = () => process.exit(1);
  for (const signal of stopSignals) process.once(signal, endNow);
  end();
  setTimeout(endNow, 5000).unref();
  await Promise.all(servers.map((server) => server.close()));
  for (const signal of stopSignals) process.off(signal, endNow);
}
