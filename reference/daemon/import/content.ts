import type { ImportedNode, RejectedEntry } from "./entry.js";

/** The values of `ProxySubscriptionPreviewResponse.detected_format`. */
export type FormatName = "uri-list" | "base64-uri-list" | "clash" | "sing-box" | "sip008";

/** Some entries of a subscription, in order. */
export interface ContentPart {
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
