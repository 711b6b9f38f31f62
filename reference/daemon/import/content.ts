import type { ImportedNode, RejectedEntry } from "./entry.js";

/** The values of `ProxySubscriptionPreviewResponse.detected_format`. */
export type FormatName = "uri-list" | "base64-uri-list" | "clash" | "sing-box" | "sip008";

/** What the content of a subscription holds. */
export interface Content extends EntryLists {
  /** Undefined when the subscription is empty. */
  readonly format: FormatName | undefined;
}

/** The entries of a subscription, or some of them. */
export interface EntryLists {
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
}

/** Why content is not read at all. */
export type RefusalReason = "unknown-format" | "too-many-entries" | "too-complex";

/** Ends the reading of content. It has no message, since it may cross threads and nothing of the content must. */
export class ContentRefused extends Error {
  override readonly name = "ContentRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super();
    this.reason = reason;
  }
}
