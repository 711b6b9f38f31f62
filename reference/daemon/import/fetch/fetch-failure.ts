import type { SubscriptionFailure } from "../../../../src/daemon/daemon-error.js";

/** Why a fetch fails, without the URL. */
export type FetchReason =
  | { readonly kind: SubscriptionFailure }
  | { readonly kind: "http-status"; readonly status: number };

/** Ends a fetch for a known reason. It never leaves `fetchSubscription`, which knows the URL that is shown. */
export class FetchFailure extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason | SubscriptionFailure) {
    super();
    this.reason = typeof reason === "string" ? { kind: reason } : reason;
  }
}
