import { Code, ConnectError } from "@connectrpc/connect";
import { daemonError } from "../../../../src/daemon/daemon-error.js";
import { createSubscriptionUrl, type SubscriptionUrl } from "../../../../src/daemon/subscription-url.js";
import { FetchFailure, reasonOfError } from "./fetch-failure.js";
import { headerText } from "./header-text.js";
import { createBodyLimit, decompress, readBody } from "./read-body.js";
import { type Network, resolveHost, systemNetwork } from "./resolve-host.js";
import { redirectTarget, sendRequest } from "./send-request.js";

/** How a subscription is fetched. */
export interface FetchOptions {
  /** Whether loopback, private and link-local addresses may be asked. */
  readonly allowPrivate: boolean;
  /** For resolving, connecting, redirects and the body together. Defaults to 10 seconds. */
  readonly timeoutMs?: number;
  /** Defaults to the network of this machine. */
  readonly network?: Network;
}

/** Who waits for a fetch. */
export interface Caller {
  /** Ends the fetch when the caller has gone. */
  readonly signal: AbortSignal;
  /** Waits until there is memory for a body of more than `maxSmallBytes`. That time does not count. Defaults to no wait. */
  readonly grow?: () => Promise<void>;
}

/** What the host of a subscription answered. */
export interface FetchedSubscription {
  /** After decompression; at most 16 MiB. */
  readonly body: Buffer;
  readonly headers: SubscriptionHeaders;
  /** Where the host redirected to, one after the other. */
  readonly redirects: readonly SubscriptionUrl[];
}

/** The headers that say what a subscription is called, as they came. */
export interface SubscriptionHeaders {
  readonly profileTitle?: string;
  readonly contentDisposition?: string;
}

/** The longest body, before and after decompression, for which a fetch needs no further memory. */
export const maxSmallBytes = 512 * 1024;
/** The longest body, before and after decompression. */
export const maxBytes = 16 * 1024 * 1024;
const maxRedirects = 5;
const defaultTimeoutMs = 10_000;

/**
 * Fetches a subscription over http or https: 5 redirects, 10 seconds and 16 MiB at most. Every address is checked before the
 * connection goes to it, that of a redirect as well.
 *
 * Throws `daemonError` of a failure to fetch, which names the host of the first URL and nothing of a redirect or an answer; when
 * the caller has gone, an error with `Code.Canceled`.
 */
export async function fetchSubscription(
  url: SubscriptionUrl,
  options: FetchOptions & Caller,
): Promise<FetchedSubscription> {
  const { signal: caller, allowPrivate, timeoutMs = defaultTimeoutMs, network = systemNetwork } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = createPausableTimer(end, timeoutMs);
  const grow = () => timer.pauseDuring(options.grow?.());
  caller.addEventListener("abort", end, { once: true });
  try {
    if (caller.aborted) throw new FetchFailure("connection-lost");
    return await fetchWithin(url, { allowPrivate, network, signal: ending.signal, grow });
  } catch (error) {
    throw caller.aborted ? callerGone(url, caller) : failed(url, error, ending.signal);
  } finally {
    timer.stop();
    caller.removeEventListener("abort", end);
    // Whatever is left of a connection.
    end();
  }
}

type Within = Required<Caller & Pick<FetchOptions, "allowPrivate" | "network">>;

async function fetchWithin(first: SubscriptionUrl, { signal, allowPrivate, network, grow }: Within) {
  const redirects: SubscriptionUrl[] = [];
  let url = first.reveal();
  for (;;) {
    const notPublic = redirects.length === 0 ? "not-public" : "redirect-not-public";
    const target = await unlessAborted(resolveHost(url, network, allowPrivate, notPublic), signal);
    const answer = await sendRequest(url, target, { network, signal });
    const next = redirectTarget(answer, url);
    if (next === undefined) {
      const { statusCode: status = 0, headers } = answer;
      if (status < 200 || status > 299) throw new FetchFailure({ kind: "http-status", status });
      const limit = createBodyLimit(maxSmallBytes, maxBytes, grow);
      const received = await readBody(answer, limit);
      const body = await unlessAborted(decompress(received, headers["content-encoding"] ?? "", limit), signal);
      return { body, headers: subscriptionHeaders(headers), redirects };
    }
    answer.destroy();
    if (redirects.length === maxRedirects) throw new FetchFailure("too-many-redirects");
    redirects.push(createSubscriptionUrl(next));
    url = next;
  }
}

/** Ends after some time, of which pauses are no part. */
function createPausableTimer(end: () => void, timeoutMs: number) {
  let left = timeoutMs;
  let since = performance.now();
  let timer = setTimeout(end, left);
  return {
    stop: () => clearTimeout(timer),
    pauseDuring: async (pause: Promise<void> = Promise.resolve()) => {
      clearTimeout(timer);
      left -= performance.now() - since;
      await pause;
      since = performance.now();
      timer = setTimeout(end, left);
    },
  };
}

function subscriptionHeaders(headers: Parameters<typeof headerText>[0]): SubscriptionHeaders {
  const profileTitle = headerText(headers, "profile-title");
  const contentDisposition = headerText(headers, "content-disposition");
  return {
    ...(profileTitle === undefined ? {} : { profileTitle }),
    ...(contentDisposition === undefined ? {} : { contentDisposition }),
  };
}

/** What cannot be ended, such as a look-up, is left to itself. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new FetchFailure("timeout"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([work, aborted]);
}

function failed(url: SubscriptionUrl, error: unknown, { aborted }: AbortSignal): ConnectError {
  return daemonError(aborted ? { kind: "timeout", url } : { ...reasonOfError(error), url });
}

/** A caller that set a deadline is told that it has passed; whoever hung up hears nothing, whatever is said. */
function callerGone(url: SubscriptionUrl, { reason }: AbortSignal): ConnectError {
  const isDeadline = reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;
  return isDeadline ? daemonError({ kind: "timeout", url }) : new ConnectError("The caller has gone", Code.Canceled);
}
