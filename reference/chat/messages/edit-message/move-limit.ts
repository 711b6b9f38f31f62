import type { LevelBehaviour } from "../../level-behaviour.js";
import { isModerator } from "../../roles.js";
import type { Realm, User } from "../../storage/tables.js";
import type { Move } from "./requested-changes.js";

/** How old messages of others may be that are moved on a server below level 162: seven days. */
export const limitBeforeSettings = 7 * 24 * 60 * 60;

/** How old messages may be that are moved. */
export interface MoveLimit {
  readonly seconds: number;
  /** The messages of the caller have no limit. */
  readonly exemptsOwn: boolean;
}

/** What decides how old messages may be that are moved. */
export interface MoveLimitQuestion {
  readonly settings: Pick<
    Realm,
    "move_messages_within_stream_limit_seconds" | "move_messages_between_streams_limit_seconds"
  >;
  readonly behaviour: Pick<LevelBehaviour, "moveLimitsAreSettings" | "resolveTopicsGroup">;
  readonly caller: Pick<User, "role">;
  readonly move: Pick<Move, "changesChannel" | "isResolution">;
}

/**
 * The time limit of a move; undefined when there is none. Moderators, administrators and owners are exempt. A move to another
 * channel has the limit for channels alone, whatever becomes of the topic. Resolving a topic is no move where a group of its own
 * governs it (level 367).
 *
 * Rules: "Edit a message", rule 3; "Limits"; "Versioning", 162.
 */
export function moveLimit({ settings, behaviour, caller, move }: MoveLimitQuestion): MoveLimit | undefined {
  if (isModerator(caller)) return undefined;
  if (move.isResolution && behaviour.resolveTopicsGroup) return undefined;
  if (!behaviour.moveLimitsAreSettings) return { seconds: limitBeforeSettings, exemptsOwn: true };
  const seconds = move.changesChannel
    ? settings.move_messages_between_streams_limit_seconds
    : settings.move_messages_within_stream_limit_seconds;
  return seconds === null ? undefined : { seconds, exemptsOwn: false };
}
