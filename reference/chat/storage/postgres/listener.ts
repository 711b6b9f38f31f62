import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "./pool.js";

/** Notifications of other servers. */
export interface Listener {
  /** Sets the function to call on each notification, and after each interruption, during which notifications may have been lost. */
  readonly onNotification: (notify: () => void) => void;
  readonly close: () => Promise<void>;
}

const reconnectMs = 1000;

/** Listens to a channel of notifications on a connection of its own, and connects again if it breaks. */
export function createListener(url: string, channel: string): Listener {
  const closing = new AbortController();
  let notify = () => {};
  const running = listen();

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = await createClient(url);
      const end = () => void client.end().catch(() => {});
      const ended = new Promise<void>((resolve) => {
        client.on("end", resolve);
        client.on("error", () => resolve());
      });
      client.on("notification", () => notify());
      closing.signal.addEventListener("abort", end);
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
        notify();
        if (!closing.signal.aborted) await ended;
      } catch {
        // Tried again below.
      }
      closing.signal.removeEventListener("abort", end);
      end();
      await wait(reconnectMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  return {
    onNotification: (callback) => {
      notify = callback;
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
