/** Behaviour of a server at a feature level, where levels differ in more than the presence of a parameter or field. */
export type LevelBehaviour = Readonly<Record<keyof typeof introducedAt, boolean>>;

/**
 * The level that introduced each behaviour ("Versioning"). Operations, parameters and response fields that exist only at some
 * levels are not listed here: the server stub reads them from the contract.
 */
const introducedAt = {
  /** String anchors, and stream_id for moves. */
  stringAnchors: 1,
  /** User ids as principals. */
  integerPrincipals: 9,
  /** full_name is plain text, not JSON-encoded. */
  plainFullName: 106,
  /** Without send_notification_to_old_thread, the old topic gets no notice. Both flags apply within a channel too. */
  quietOldThread: 152,
  /** Topic and channel edits are not blocked by allow_message_editing alone. */
  movesDespiteEditingOff: 159,
  /** The time limits of topic edits and channel moves are settings of the organization. */
  moveLimitsAreSettings: 162,
  /** Muting or unmuting a topic again is not an error. */
  repeatedTopicMute: 169,
  /** change_all past the time limit fails with MOVE_MESSAGES_TIME_LIMIT_EXCEEDED. */
  moveLimitCode: 172,
  /** Bots can be muted. */
  mutableBots: 188,
  /** A bad principal is 400 BAD_REQUEST, not 403 UNAUTHORIZED_PRINCIPAL. */
  badPrincipalIsBadRequest: 208,
  /** A refused channel wildcard mention has its own code. */
  wildcardMentionCode: 229,
  /** A group in use has its own code. */
  groupInUseCode: 298,
  /** The empty string is a valid topic. */
  emptyTopics: 334,
  /** can_resolve_topics_group governs topic resolution, not the right to edit topics. */
  resolveTopicsGroup: 367,
  /** A deactivated group can gain and lose subgroups. */
  changeableDeactivatedGroups: 391,
} as const;

/** Returns the behaviour of a server at a feature level. */
export function behaviourAt(level: number): LevelBehaviour {
  return Object.fromEntries(
    Object.entries(introducedAt).map(([name, from]) => [name, level >= from]),
  ) as LevelBehaviour;
}
