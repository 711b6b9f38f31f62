import { daemonError } from "../../../src/daemon/daemon-error.js";
import type { SubscriptionUrl } from "../../../src/daemon/subscription-url.js";
import { type Budget, BudgetQueueFull, createBudget } from "../create-budget.js";
import { type Content, ContentRefused } from "./content.js";
import { type FetchedSubscription, type FetchOptions, fetchSubscription } from "./fetch/fetch-subscription.js";
import { readSubscriptionUrl } from "./read-subscription-url.js";
import { readInThread } from "./reading/reader-threads.js";
import { suggestedName } from "./suggested-name.js";

/** What a subscription holds, and what to call it. */
export interface Import extends Content {
  readonly suggestedName: string;
}

const mib = 1024 * 1024;
/**
 * What subscriptions may take of memory while they are fetched, read and used. Each takes its small share before it is fetched; the few
 * that turn out to be long take a large one as well, of another budget, so that those under way never wait for each other.
 */
const memory = {
  small: { each: mib, all: 32 * mib, maxWaiting: 1_000 },
  large: { each: 32 * mib, all: 64 * mib, maxWaiting: 32 },
};

/**
 * Imports the subscription at a URL, and does something with it: fetch, decode, detect, parse, use. When too many are under way, the
 * others wait. Rejects with an error of `daemonError`, or of `use`; whatever the host answers, nothing of it gets into an error.
 */
export type ImportSubscription = <Result>(
  url: string,
  signal: AbortSignal,
  use: (found: Import) => Promise<Result>,
) => Promise<Result>;

/** Makes what imports subscriptions. */
export function createImportSubscription(options: FetchOptions): ImportSubscription {
  const small = createBudget(memory.small.all, memory.small.maxWaiting);
  const large = createBudget(memory.large.all, memory.large.maxWaiting);
  return async (text, signal, use) => {
    const url = readSubscriptionUrl(text);
    const taken: (() => void)[] = [];
    const take = async (budget: Budget, bytes: number) => {
      taken.push(await budget.take(bytes, signal));
    };
    try {
      await take(small, memory.small.each);
      const grow = () => take(large, memory.large.each);
      const fetched = await fetchSubscription(url, { ...options, signal, grow });
      return await use(await readSubscription(fetched, url, signal));
    } catch (error) {
      throw error instanceof BudgetQueueFull ? daemonError({ kind: "too-many-imports" }) : error;
    } finally {
      for (const giveBack of taken) giveBack();
    }
  };
}

async function readSubscription(
  { body, headers, redirects }: FetchedSubscription,
  url: SubscriptionUrl,
  signal: AbortSignal,
): Promise<Import> {
  const content = await readInThread(body, signal).catch((error) => {
    throw error instanceof ContentRefused ? daemonError({ kind: error.reason, url }) : error;
  });
  return { suggestedName: suggestedName(headers, url, redirects), ...content };
}
