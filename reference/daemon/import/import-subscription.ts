import { daemonError } from "../../../src/daemon/daemon-error.js";
import { createSlots, SlotQueueFull, type Slots } from "../create-slots.js";
import { type ContentPart, ContentRefused, type FormatName } from "./content.js";
import { type FetchOptions, fetchSubscription } from "./fetch/fetch-subscription.js";
import { readSubscriptionUrl } from "./read-subscription-url.js";
import { readInThread } from "./reading/reader-threads.js";
import { suggestedName } from "./suggested-name.js";

/** Collects the entries of a subscription into a result. */
export interface Collector<Result> {
  /** Adds entries, which arrive in order. */
  readonly add: (part: ContentPart) => void;
  readonly finish: (about: About) => Result | Promise<Result>;
}

/** Facts about a subscription besides its entries. */
export interface About {
  readonly suggestedName: string;
  /** Undefined if the subscription is empty. */
  readonly format: FormatName | undefined;
}

/**
 * Imports the subscription at a URL: fetches it, reads it, and passes its entries to a collector. Waits while too many
 * imports are running. Rejects with an error of `daemonError` or of the collector, never with anything from the
 * response of the host.
 */
export type ImportSubscription = <Result>(
  url: string,
  signal: AbortSignal,
  collector: Collector<Result>,
) => Promise<Result>;

/**
 * Creates the function that imports subscriptions. At most 32 run at the same time, two of them with a large body, whose
 * nodes can take more than 100 MiB.
 */
export function createImportSubscription(options: FetchOptions): ImportSubscription {
  const running = createSlots(32, 1_000);
  const large = createSlots(2, Number.POSITIVE_INFINITY);
  return async (text, signal, collector) => {
    const url = readSubscriptionUrl(text);
    const taken: (() => void)[] = [];
    const take = async (slots: Slots) => void taken.push(await slots.take(signal));
    try {
      await take(running);
      const fetched = await fetchSubscription(url, { ...options, signal, grow: () => take(large) });
      const format = await readInThread(fetched.body, signal, collector.add);
      return await collector.finish({ suggestedName: suggestedName(fetched.headers, url, fetched.redirects), format });
    } catch (error) {
      if (error instanceof ContentRefused) throw daemonError({ kind: error.reason, url });
      throw error instanceof SlotQueueFull ? daemonError({ kind: "too-many-imports" }) : error;
    } finally {
      for (const release of taken) release();
    }
  };
}
