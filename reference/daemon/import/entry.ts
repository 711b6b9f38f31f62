import type { ProxyNode } from "./proxy-node.js";
import type { RejectionReason } from "./rejection.js";

/** One entry of a subscription, as it was read. */
export type Entry =
  | { readonly kind: "node"; readonly node: ProxyNode }
  /** `scheme` is in lower case; the type in formats without schemes; empty when the entry has none that looks like one. */
  | { readonly kind: "rejected"; readonly scheme: string; readonly reason: RejectionReason };
