import { daemonError } from "../../../src/daemon/daemon-error.js";
import { type Budget, BudgetQueueFull, createBudget } from "../create-budget.js";
import { type ContentPart, ContentRefused, type FormatName } from "./content.js";
import { type FetchOptions, fetchSubscription, maxSmallBytes } from "./fetch/fetch-subscription.js";
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

const mib = 1024 * 1024;
/**
 * The memory that imports may use while they fetch, read and process subscriptions. Each import takes a small share
 * before it fetches. One with a large body also takes a large share from another budget, so that running imports never
 * wait for each other.
 */
const memory = {
  small: { each: mib, all: 32 * mib, maxWaiting: 1_000 },
  large: { each: 32 * mib, all: 64 * mib, maxWaiting: 32 },
  /** The nodes of a large subscription can take more than 100 MiB, so only one is read at a time. */
  entries: { each: 1, all: 1, maxWaiting: 32 },
};

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

/** Creates the function that imports subscriptions. */
export function createImportSubscription(options: FetchOptions): ImportSubscription {
  const small = createBudget(memory.small.all, memory.small.maxWaiting);
  const large = createBudget(memory.large.all, memory.large.maxWaiting);
  const entries = createBudget(memory.entries.all, memory.entries.maxWaiting);
  return async (text, signal, collector) => {
    const url = readSubscriptionUrl(text);
    const taken: (() => void)[] = [];
    const take = async (budget: Budget, amount: number) => {
      taken.push(await budget.take(amount, signal));
    };
    try {
      await take(small, memory.small.each);
      const grow = () => take(large, memory.large.each);
      const { body, headers, redirects } = await fetchSubscription(url, { ...options, signal, grow });
      if (body.length > maxSmallBytes) await take(entries, memory.entries.each);
      const format = await readInThread(body, signal, collector.add);
      return await collector.finish({ suggestedName: suggestedName(headers, url, redirects), format });
    } catch (error) {
      if (error instanceof ContentRefused) throw daemonError({ kind: error.reason, url });
      throw error instanceof BudgetQueueFull ? daemonError({ kind: "too-many-imports" }) : error;
    } finally {
      for (const release of taken) release();
    }
  };
}
