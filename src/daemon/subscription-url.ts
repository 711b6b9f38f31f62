import { inspect } from "node:util";
import { redactUrl } from "./redact.js";

/**
 * The URL of a subscription, which may hold secrets anywhere after its host. Put into a string, a log or JSON it shows as
 * `<scheme>://<host>[:port]`, so that a message can hold it without care.
 */
export interface SubscriptionUrl {
  /** The URL itself. */
  readonly reveal: () => URL;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

/** Wraps a URL that is known to be http or https. */
export function createSubscriptionUrl(url: URL): SubscriptionUrl {
  // A copy, because a URL can be changed.
  const { href } = url;
  const shown = redactUrl(href);
  return Object.freeze({
    reveal: () => new URL(href),
    toString: () => shown,
    toJSON: () => shown,
    [inspect.custom]: () => shown,
  });
}
