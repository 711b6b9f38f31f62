import type { ProxyNode } from "../proxy-node.js";
import type { RejectionReason } from "../rejection.js";

/**
 * A scheme of share links, such as `trojan://password@host:443?sni=host#name`.
 *
 * `parse` takes what stands after `://` and gives the node, or why there is none. It never throws, whatever it gets.
 */
export interface Scheme {
  /** In lower case, such as `["hysteria2", "hy2"]`. */
  readonly names: readonly string[];
  readonly parse: (rest: string) => ProxyNode | RejectionReason;
}
