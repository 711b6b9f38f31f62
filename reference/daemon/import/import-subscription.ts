import { daemonError } from "../../../src/daemon/daemon-error.js";
import { type Budget, BudgetQueueFull, createBudget } from "../create-budget.js";
import { type ContentPart, ContentRefused, type FormatName } from "./content.js";
import { type FetchOptions, fetchSubscription, maxSmallBytes } from "./fetch/fetch-subscription.js";
import { readSubscriptionUrl } from "./read-subscription-url.js";
import { readInThread } from "./reading/reader-threads.js";
import { suggestedName } from "./suggested-name.js";

/** What is made of a subscription. */
export interface Collector<Result> {
  /** Takes some entries; all are given in order. */
  readonly add: (part: ContentPart) => void;
  readonly finish: (about: About) => Result | Promise<Result>;
}

/** What is known of a subscription besides its entries. */
export interface About {
  readonly suggestedName: string;
  /** Undefined when the subscription is empty. */
  readonly format: FormatName | undefined;
}

const mib = 1024 * 1024;
/**
 * What subscriptions may take of memory while they are fetched, read and used. Each takes its small share before it is fetched; the few
 * that turn out to be long take a large one as well, of another budget, so that those under way never wait for each other.
 */
const memory = {
  small: { each: mib, all: 32 * mib, maxWaiting: 1_000 },
  large: { each: 32 * mib, all: 64 * mib, maxWaiting: 32 },
  /** What a long subscription holds can take more than 100 MiB, so one is read at a time. */
  entries: { each: 1, all: 1, maxWaiting: 32 },
};

/**
 * Imports the subscription at a URL: fetches it, reads it and has its entries collected. When too many are under way, the others wait.
 * Rejects with an error of `daemonError`, or of the collector; whatever the host answers, nothing of it gets into an error.
 */
export type ImportSubscription = <Result>(
  url: string,
  signal: AbortSignal,
  collector: Collector<Result>,
) => Promise<Result>;

/** Makes what imports subscriptions. */
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
      for (const giveBack of taken) giveBack();
    }
  };
}
