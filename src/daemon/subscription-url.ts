import { inspect } from "node:util";
import { redactUrl } from "../secrets/redact-url.js";

/**
 * The URL of a subscription, which may hold secrets anywhere but in scheme, host and port. In strings, logs and JSON it appears as
 * `<scheme>://<host>[:port]` or `[redacted]`, as `redactUrl` returns it, so it is safe to put into messages.
 */
export interface SubscriptionUrl {
  /** Returns the URL itself. */
  readonly reveal: () => URL;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

/** Wraps an http or https URL. */
export function createSubscriptionUrl(url: URL): SubscriptionUrl {
  // Keep a copy, because URL objects are mutable.
  const { href } = url;
  const shown = redactUrl(href);
  return Object.freeze({
    reveal: () => new URL(href),
    toString: () => shown,
    toJSON: () => shown,
    [inspect.custom]: () => shown,
  });
}
