import type { ProxyNode } from "./proxy-node.js";

/** A parsed entry of a subscription. */
export type Entry =
  | { readonly kind: "node"; readonly node: ProxyNode }
  /** `scheme` is in lower case; the type in formats without schemes; empty if the entry has nothing that looks like a scheme. */
  | { readonly kind: "rejected"; readonly scheme: string; readonly reason: RejectionReason };

/** A node and its position in the subscription, starting at 1. Rejected entries count as well. */
export interface ImportedNode {
  readonly ordinal: number;
  readonly node: ProxyNode;
}

/** A rejected entry and its position in the subscription. */
export interface RejectedEntry {
  readonly ordinal: number;
  readonly scheme: string;
  readonly reason: RejectionReason;
}

/** The reasons for rejecting an entry. The texts contain no part of the entry, which may be secret. */
export const rejectionReasons = {
  undecodable: "The entry cannot be decoded.",
  "too-long": "The entry is too long.",
  "unknown-scheme": "The scheme is not known.",
  "unknown-type": "The type is not known.",
  "nested-subscription": "Nested subscriptions are not followed.",
  "missing-server": "The server is missing.",
  "invalid-server": "The server is neither a host name nor an IP address.",
  "missing-port": "The port is missing.",
  "invalid-port": "The port is not between 1 and 65535.",
  "missing-password": "The password is missing.",
  "missing-user-id": "The user id is missing.",
  "missing-method": "The encryption method is missing.",
  "missing-key": "The private key is missing.",
  "missing-peer-key": "The public key of the peer is missing.",
  "missing-obfuscation-password": "The obfuscation password is missing.",
  "unknown-transport": "The transport is not known.",
  "unknown-security": "The security is not known.",
} as const;

/** The name of a reason. */
export type RejectionReason = keyof typeof rejectionReasons;
