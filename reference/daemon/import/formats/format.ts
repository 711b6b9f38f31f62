import type { Entry } from "../entry.js";

/** The values of `ProxySubscriptionPreviewResponse.detected_format`. */
export type FormatName = "uri-list" | "base64-uri-list" | "clash" | "sing-box" | "sip008";

/**
 * A format of subscription content.
 *
 * `open` tells whether the content is in this format: it gives the entries, in order, or undefined. It never throws, whatever the
 * content. Reading goes on in turns: what takes the entries may stop after each, so one step does work of a few milliseconds at
 * most; where nothing is found for long, a step gives undefined.
 */
export interface Format {
  readonly name: FormatName;
  /** `text` is as `decodeText` gives it: no byte order mark, lines end with `\n`. */
  readonly open: (text: string) => Iterable<Entry | undefined> | undefined;
}
