/**
 * Says that all is ready, waits for SIGINT or SIGTERM, then stops what is given. A second signal, or five seconds, ends the
 * process at once.
 *
 * `ready` is called when the signals are already heard: whoever waits for its output may stop the process at once.
 */
export async function untilStopped(
  servers: readonly { close: () => Promise<void> }[],
  ready: () => void,
): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
    ready();
  });
  const endNow = () => process.exit(1);
  process.once("SIGINT", endNow);
  process.once("SIGTERM", endNow);
  setTimeout(endNow, 5000).unref();
  await Promise.all(servers.map((server) => server.close()));
  process.off("SIGINT", endNow);
  process.off("SIGTERM", endNow);
}
