import { Code, ConnectError } from "@connectrpc/connect";
import { daemonError } from "../../../../src/daemon/daemon-error.js";
import { createSubscriptionUrl, type SubscriptionUrl } from "../../../../src/daemon/subscription-url.js";
import { FetchFailure, toFetchReason } from "./fetch-failure.js";
import { readBody } from "./read-body.js";
import { type Network, resolveHost, systemNetwork } from "./resolve-host.js";
import { headerText, redirectTarget, sendRequest } from "./send-request.js";

/** Options of a fetch. */
export interface FetchOptions {
  /** Whether to allow loopback, private and link-local addresses. */
  readonly allowPrivate: boolean;
  /** Time limit for resolving, connecting, redirects and the body together. Defaults to 10 seconds. */
  readonly timeoutMs?: number;
  /** Defaults to the network of this machine. */
  readonly network?: Network;
}

/** The caller of a fetch. */
export interface Caller {
  /** Aborts the fetch when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Waits until memory is available for a body of more than `maxSmallBytes`. The wait does not count towards the time
   * limit. By default, does not wait.
   */
  readonly grow?: () => Promise<void>;
}

/** The response of a subscription host. */
export interface FetchedSubscription {
  /** After decompression; at most 16 MiB. */
  readonly body: Buffer;
  readonly headers: SubscriptionHeaders;
  /** The targets of the redirects, in order. */
  readonly redirects: readonly SubscriptionUrl[];
}

/** The headers that name the subscription, as received. */
export interface SubscriptionHeaders {
  readonly profileTitle?: string | undefined;
  readonly contentDisposition?: string | undefined;
}

export const maxRedirects = 5;
const defaultTimeoutMs = 10_000;

/**
 * Fetches a subscription over http or https, with at most 5 redirects, 10 seconds and 16 MiB. Checks every address
 * before it connects, including those of redirects.
 *
 * Throws a `daemonError` if the fetch fails. Its message names the host of the first URL, and nothing from a redirect
 * or response. Throws an error with `Code.Canceled` if the caller has disconnected.
 */
export async function fetchSubscription(
  url: SubscriptionUrl,
  options: FetchOptions & Caller,
): Promise<FetchedSubscription> {
  const { signal: caller, allowPrivate, timeoutMs = defaultTimeoutMs, network = systemNetwork } = options;
  const ending = new AbortController();
  const timer = createPausableTimer(() => ending.abort(), timeoutMs);
  const signal = AbortSignal.any([caller, ending.signal]);
  const grow = () => timer.pauseDuring(options.grow?.());
  try {
    return await unlessAborted(fetchWithin(url, { allowPrivate, network, signal, grow }), signal);
  } catch (error) {
    if (caller.aborted) throw callerGone(url, caller);
    throw daemonError(ending.signal.aborted ? { kind: "timeout", url } : { ...toFetchReason(error), url });
  } finally {
    timer.stop();
    // Closes any connection that is still open.
    ending.abort();
  }
}

type Within = Required<Caller & Pick<FetchOptions, "allowPrivate" | "network">>;

async function fetchWithin(first: SubscriptionUrl, { signal, allowPrivate, network, grow }: Within) {
  const redirects: SubscriptionUrl[] = [];
  let url = first.reveal();
  for (;;) {
    const notPublic = redirects.length === 0 ? "not-public" : "redirect-not-public";
    const target = await resolveHost(url, network, allowPrivate, notPublic);
    signal.throwIfAborted();
    const response = await sendRequest(url, target, { network, signal });
    const next = redirectTarget(response, url);
    if (next === undefined) {
      const { statusCode: status = 0, headers } = response;
      if (status < 200 || status > 299) throw new FetchFailure({ kind: "http-status", status });
      const body = await readBody(response, grow);
      const profileTitle = headerText(headers, "profile-title");
      const contentDisposition = headerText(headers, "content-disposition");
      return { body, headers: { profileTitle, contentDisposition }, redirects };
    }
    response.destroy();
    if (redirects.length === maxRedirects) throw new FetchFailure("too-many-redirects");
    redirects.push(createSubscriptionUrl(next));
    url = next;
  }
}

/** Creates a timer that calls `end` after a time limit, which excludes pauses. */
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

/** Work that cannot be aborted, such as a DNS lookup, continues unobserved. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new FetchFailure("timeout"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([work, aborted]);
}

/** A caller whose deadline has passed gets that error. A caller that has disconnected receives no response at all. */
function callerGone(url: SubscriptionUrl, { reason }: AbortSignal): ConnectError {
  const isDeadline = reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;
  return isDeadline ? daemonError({ kind: "timeout", url }) : new ConnectError("The caller has gone", Code.Canceled);
}
