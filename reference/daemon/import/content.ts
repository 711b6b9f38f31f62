import type { ImportedNode, RejectedEntry } from "./entry.js";

/** The values of `ProxySubscriptionPreviewResponse.detected_format`. */
export type FormatName = "uri-list" | "base64-uri-list" | "clash" | "sing-box" | "sip008";

/** Consecutive entries of a subscription, in order. */
export interface ContentPart {
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
}

/** The reason why the whole content is refused. */
export type RefusalReason = "unknown-format" | "too-many-entries" | "too-complex";

/**
 * Thrown if the whole content is refused. Has no message, because it may cross threads, and must not contain any of the
 * content.
 */
export class ContentRefused extends Error {
  override readonly name = "ContentRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super();
    this.reason = reason;
  }
}
