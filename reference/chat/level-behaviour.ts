/** How a server of one feature level behaves where levels differ in more than the presence of a parameter or field. */
export type LevelBehaviour = Readonly<Record<keyof typeof since, boolean>>;

/**
 * The behaviour that each row of "Versioning" brought, and the level it came with. What is added or removed as a whole (operations,
 * parameters, response fields) is not here: the server stub reads that from the contract.
 */
const since = {
  /** String anchors, and stream_id for moves. */
  stringAnchors: 1,
  /** User ids as principals. */
  integerPrincipals: 9,
  /** full_name is plain text, not JSON-encoded. */
  plainFullName: 106,
  /** send_notification_to_old_thread defaults to false; both flags take effect without a change of channel. */
  quietOldThread: 152,
  /** Topic and channel edits are not blocked by allow_message_editing alone. */
  movesDespiteEditingOff: 159,
  /** The time limits of topic edits and channel moves are settings of the organization. */
  moveLimitsAreSettings: 162,
  /** A repeated mute or unmute of a topic is no error. */
  repeatedTopicMute: 169,
  /** change_all past the time limit answers MOVE_MESSAGES_TIME_LIMIT_EXCEEDED. */
  moveLimitCode: 172,
  /** Bots can be muted. */
  mutableBots: 188,
  /** A bad principal is 400 BAD_REQUEST, not 403 UNAUTHORIZED_PRINCIPAL. */
  badPrincipalIsBadRequest: 208,
  /** A refused channel wildcard mention has a code of its own. */
  wildcardMentionCode: 229,
  /** A group in use has a code of its own. */
  groupInUseCode: 298,
  /** The empty text is a topic. */
  emptyTopics: 334,
  /** can_resolve_topics_group governs topic resolution, not the right to edit topics. */
  resolveTopicsGroup: 367,
  /** The subgroups of a deactivated group can be changed. */
  changeableDeactivatedGroups: 391,
} as const;

/** The behaviour of a server of a feature level. */
export function behaviourAt(level: number): LevelBehaviour {
  return Object.fromEntries(Object.entries(since).map(([name, from]) => [name, level >= from])) as LevelBehaviour;
}
