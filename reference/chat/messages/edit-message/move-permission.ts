import { differsInMarkOnly, markChange } from "../../channels/topic-resolution.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import type { Realm } from "../../storage/tables.js";
import type { Move } from "./requested-changes.js";

/** What decides whether messages can be moved, their age aside. */
export interface MoveAttempt {
  readonly settings: Pick<Realm, "allow_message_editing">;
  readonly behaviour: Pick<LevelBehaviour, "movesDespiteEditingOff" | "resolveTopicsGroup">;
  readonly move: Pick<Move, "fromTopic" | "toTopic" | "mode" | "changesChannel" | "changesTopic" | "isResolution">;
  /** The groups that the caller is in. */
  readonly isIn: {
    readonly canResolveTopics: boolean;
    readonly canMoveBetweenTopics: boolean;
    readonly canMoveBetweenChannels: boolean;
  };
}

/**
 * Why a caller may not move messages; undefined when they may. No role stands in for a group. Who changes channel and topic at once
 * needs both groups. From level 367 on, can_resolve_topics_group governs the check mark of a topic: alone when nothing but the mark
 * of a whole topic changes, and besides the right to move otherwise.
 *
 * Rules: "Edit a message", rules 2 and 4; "States and transitions", topic unresolved; "Versioning", 159 and 367.
 */
export function moveRefusal({ settings, behaviour, move, isIn }: MoveAttempt): string | undefined {
  if (settings.allow_message_editing === 0 && !behaviour.movesDespiteEditingOff) {
    return "Your organization has turned off message editing";
  }
  if (move.changesChannel && !isIn.canMoveBetweenChannels) {
    return "You don't have permission to move this message to another channel";
  }
  const isGovernedByMark = behaviour.resolveTopicsGroup && changesMarkOfTopic(move);
  if (isGovernedByMark && !isIn.canResolveTopics) return "You don't have permission to resolve topics";
  if (isGovernedByMark && move.isResolution) return undefined;
  if (move.changesTopic && !isIn.canMoveBetweenTopics) return "You don't have permission to edit this message's topic";
  return undefined;
}

/** Whether the check mark of a topic is changed, not only that of single messages which leave for another topic. */
function changesMarkOfTopic({ fromTopic, toTopic, mode, changesChannel }: MoveAttempt["move"]): boolean {
  if (changesChannel || markChange(fromTopic, toTopic) === "none") return false;
  return mode === "change_all" || differsInMarkOnly(fromTopic, toTopic);
}
