import { daemonError } from "../../../src/daemon/daemon-error.js";
import type { SubscriptionUrl } from "../../../src/daemon/subscription-url.js";
import { runInSlices as inTurns, nextSlice as nextTurn } from "../../../src/time-slices.js";
import { createLimit } from "../create-limit.js";
import { decodeText } from "./decode-text.js";
import type { Entry } from "./entry.js";
import { type FetchedSubscription, type FetchOptions, fetchSubscription } from "./fetch/fetch-subscription.js";
import type { FormatName } from "./formats/format.js";
import type { ProxyNode } from "./proxy-node.js";
import { readEntries } from "./read-entries.js";
import { readSubscriptionUrl } from "./read-subscription-url.js";
import type { RejectionReason } from "./rejection.js";
import { suggestedName } from "./suggested-name.js";

/** A node and its place in the subscription, from 1. Rejected entries are counted along with nodes. */
export interface ImportedNode {
  readonly ordinal: number;
  readonly node: ProxyNode;
}

/** A rejected entry and its place in the subscription. */
export interface RejectedEntry {
  readonly ordinal: number;
  readonly scheme: string;
  readonly reason: RejectionReason;
}

/** What a subscription holds. */
export interface Import {
  readonly suggestedName: string;
  /** Undefined when the subscription is empty. */
  readonly format: FormatName | undefined;
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
}

const mostEntries = 500_000;
/** How long entries are read before others have a turn. */
const turnMs = 8;

/** How many subscriptions are fetched at the same time, and how many are read and used: one may take 200 MiB of memory. */
const most = { fetched: 32, read: 2 };

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
  const [fetching, reading] = [createLimit(most.fetched), createLimit(most.read)];
  return async (text, signal, use) => {
    const url = readSubscriptionUrl(text);
    const fetched = await fetching(signal, () => fetchSubscription(url, { ...options, signal }));
    return reading(signal, async () => use(await readSubscription(fetched, url, signal)));
  };
}

async function readSubscription(
  { body, headers, redirects }: FetchedSubscription,
  url: SubscriptionUrl,
  signal: AbortSignal,
): Promise<Import> {
  const content = await decodeText(body, nextTurn);
  return { suggestedName: suggestedName(headers, url, redirects), ...(await readContent(content, url, signal)) };
}

type Content = Omit<Import, "suggestedName">;

async function readContent(content: string, url: SubscriptionUrl, signal: AbortSignal): Promise<Content> {
  if (content === "") return { format: undefined, nodes: [], rejected: [] };
  await nextTurn();
  const found = readEntries(content);
  if (found === undefined) throw daemonError({ kind: "unknown-format", url });
  return { format: found.format, ...(await inTurns(collect(found.entries, url, signal), nextTurn)) };
}

/** Gives the entries their ordinals. */
function* collect(
  entries: Iterable<Entry | undefined>,
  url: SubscriptionUrl,
  signal: AbortSignal,
): Generator<void, Pick<Import, "nodes" | "rejected">> {
  const nodes: ImportedNode[] = [];
  const rejected: RejectedEntry[] = [];
  let turnEnds = performance.now() + turnMs;
  let ordinal = 0;
  for (const entry of entries) {
    if (performance.now() > turnEnds) {
      yield;
      // Nobody waits for the rest any more.
      signal.throwIfAborted();
      turnEnds = performance.now() + turnMs;
    }
    if (entry === undefined) continue;
    ordinal += 1;
    if (ordinal > mostEntries) throw daemonError({ kind: "too-many-entries", url });
    if (entry.kind === "node") nodes.push({ ordinal, node: entry.node });
    else rejected.push({ ordinal, scheme: entry.scheme, reason: entry.reason });
  }
  return { nodes, rejected };
}
