import { inspect } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import {
  type FetchedSubscription,
  type FetchOptions,
  fetchSubscription,
} from "../../../../../reference/daemon/import/fetch/fetch-subscription.js";
import type { Network } from "../../../../../reference/daemon/import/fetch/resolve-host.js";
import { readSubscriptionUrl } from "../../../../../reference/daemon/import/read-subscription-url.js";
import { certificate } from "./start-host.js";

/** A public address, which tests map to their own server. */
export const publicAddress = "93.184.216.34";

/** A secret in the URLs of these tests, which no error may contain. */
export const secret = "d41d8cd98f00b204";

/** The outcome of a fetch: its result, or the code and message of the error. */
export type Outcome =
  | { readonly fetched: FetchedSubscription }
  | { readonly code: string; readonly message: string; readonly fetched?: undefined };

/** Fetches with a time limit of a few seconds. Fails if the error has a cause or contains the secret. */
export async function tryFetch(
  url: string,
  { signal = new AbortController().signal, ...options }: Partial<FetchOptions> & { readonly signal?: AbortSignal } = {},
): Promise<Outcome> {
  const subscription = readSubscriptionUrl(url);
  try {
    return {
      fetched: await fetchSubscription(subscription, { allowPrivate: true, timeoutMs: 300_000, signal, ...options }),
    };
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectError);
    const { code, rawMessage, cause, details } = error as ConnectError;
    expect({ cause, details }).toEqual({ cause: undefined, details: [] });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
    return { code: Code[code], message: rawMessage };
  }
}

/** The message of the error, or `fetched`. */
export async function messageOf(url: string, options: Parameters<typeof tryFetch>[1] = {}): Promise<string> {
  const outcome = await tryFetch(url, options);
  return outcome.fetched === undefined ? outcome.message : "fetched";
}

/** A network in which every name has one public address, and every connection goes to a port of 127.0.0.1. */
export function networkTo(port: number, changes: Partial<Network> = {}): Network {
  return {
    resolve: async () => [publicAddress],
    connectTo: () => ({ addresses: ["127.0.0.1"], port }),
    ca: certificate,
    ...changes,
  };
}
