/** What a condition of a narrow is about, with names resolved to ids of the caller's organization. */
export type NarrowMatch =
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "public-channels" }
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "sender"; readonly userId: number }
  /** The direct messages of exactly these users; no conversation if they have never written to each other. */
  | { readonly kind: "direct"; readonly conversationId: number | undefined }
  /** Direct messages that all of these users take part in; with `groupsOnly`, those of three users or more. */
  | { readonly kind: "direct-including"; readonly userIds: readonly number[]; readonly groupsOnly: boolean }
  | { readonly kind: "id"; readonly id: number }
  | { readonly kind: "has"; readonly what: (typeof contents)[number] }
  | { readonly kind: "is"; readonly what: (typeof properties)[number] }
  | { readonly kind: "search"; readonly phrases: readonly string[] };

/** One condition of a narrow. */
export type NarrowTerm = NarrowMatch & { readonly negated: boolean };

/** Operands of `has`. */
export const contents = ["link", "image", "attachment", "reaction"] as const;

/** Operands of `is`. */
export const properties = ["dm", "mentioned", "muted", "resolved", "unread"] as const;
